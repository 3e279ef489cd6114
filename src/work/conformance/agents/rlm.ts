import type { Pin } from "../pin.ts";
import { native } from "./native.ts";

/** Our own model that writes programs: it is offered no tools, so that only scenarios that were written for it say anything. */
export const rlm: Pin = {
  ...native,
  lacks: [],
  skillsAreFiles: false,
  isNamed: true,
  expect: {},
  why: {},
};
