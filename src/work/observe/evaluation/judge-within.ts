import { runInNewContext } from "node:vm";
import { errorWords, isObject } from "../../../pure/base/index.ts";
import { unknown, type Verdict } from "../../../pure/checks/index.ts";

/**
 * A check's verdict, if it comes in time. A policy's expression can take years on a line that the agent wrote, and only the engine can
 * stop it: it stops calls that run in a `vm` context.
 */
export function judgeWithin(milliseconds: number, judge: () => Verdict): Verdict {
  try {
    return runInNewContext("judge()", { judge }, { timeout: milliseconds }) as Verdict;
  } catch (error) {
    const isLate = isObject(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT"; // an Error of that context is not an instance of our Error
    return unknown(`The check could not be made: ${isLate ? `it took longer than ${milliseconds} ms.` : errorWords(error)}`);
  }
}
