import { isObject } from "../../../pure/base/index.ts";

/** What a value from outside must be before anybody relies on its type. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === "string";
export const isFlag: Check = (value) => typeof value === "boolean";
export const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
export const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
export const isTexts: Check = listOf(isText);
export const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && words.includes(value);
export const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
export const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
export const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) && Object.entries(checks).every(([key, check]) => check(value[key]));
/** The same, and no other field. */
export const exactly = (checks: Readonly<Record<string, Check>>): Check => {
  const fits = shape(checks);
  return (value) => isObject(value) && fits(value) && Object.keys(value).every((key) => Object.hasOwn(checks, key));
};
export const values =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);
