import type { Pin } from "../pin.ts";
import { native } from "./native.ts";

/** Our agent whose model writes programs. It has no tools, so it runs only the scenarios written for it. */
export const rlm: Pin = {
  ...native,
  lacks: [],
  skillsAreFiles: false,
  isNamed: true,
  expect: {},
  why: {},
};
