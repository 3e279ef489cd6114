/** Our own version, as package.json has it; test/exports.test.ts compares them. */
export const version = "0.1.0";
