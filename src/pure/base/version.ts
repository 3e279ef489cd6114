/** Our own version, as package.json has it; test/project/exports.test.ts compares them. */
export const version = "0.1.0";
