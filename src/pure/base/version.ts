/** The version in package.json; test/project/exports.test.ts compares the two. */
export const version = "0.1.0";
