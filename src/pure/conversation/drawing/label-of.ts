import { clip } from "../../base/index.ts";
import type { Step } from "../step.ts";

/** What a step is called where its lines are all there is room for. */
export function labelOf({ title, detail, count }: Step): readonly string[] {
  const head = `${clip(title, 40)}${count > 1 ? ` × ${count}` : ""}`;
  return detail === "" ? [head] : [head, clip(detail, 60)];
}
