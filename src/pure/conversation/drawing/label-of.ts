import { clip } from "../../base/index.ts";
import type { Step } from "../step.ts";

/** The label of a step in drawings that show only text lines. */
export function labelOf({ title, detail, count }: Step): readonly string[] {
  const head = `${clip(title, 40)}${count > 1 ? ` × ${count}` : ""}`;
  return detail === "" ? [head] : [head, clip(detail, 60)];
}
