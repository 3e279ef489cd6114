import type { Progress } from "../../../work/conformance/index.ts";
import { writeAside } from "../../terminal/index.ts";

export function progressLine(): { readonly show: (progress: Progress) => void; readonly clear: () => void } {
  let failed = 0;
  const isShown = process.stderr.isTTY === true;
  return {
    show({ done, all, agent, scenario, isGood }) {
      if (!isGood) failed++;
      const others = failed === 0 ? "" : `, ${failed} not as expected`;
      if (isShown) writeAside(`\r\x1b[Kharness: ${done} of ${all} runs${others}; last ${agent} ${scenario}`);
    },
    clear() {
      if (isShown) writeAside("\r\x1b[K");
    },
  };
}
