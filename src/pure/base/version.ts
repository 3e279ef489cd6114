/** The version in package.json; test/project/exports.test.ts compares the two. */
export const version = "0.1.0";

/**
 * Grows when the same bytes give different records. A recording remembers it; one made by an earlier version, or without this field (1), is
 * verified by its seal.
 */
export const translation = 5;
