import type { Progress } from "../../../work/conformance/index.ts";
import { sequence, writeAside } from "../../terminal/index.ts";

const CLEAR = `${sequence("\r")}${sequence("[K")}`;

export function progressLine(): { readonly show: (progress: Progress) => void; readonly clear: () => void } {
  let failed = 0;
  const isShown = process.stderr.isTTY === true;
  return {
    show({ done, all, agent, scenario, isGood }) {
      if (!isGood) failed++;
      const others = failed === 0 ? "" : `, ${failed} not as expected`;
      if (isShown) writeAside(`${CLEAR}harness: ${done} of ${all} runs${others}; last ${agent} ${scenario}`);
    },
    clear() {
      if (isShown) writeAside(CLEAR);
    },
  };
}
