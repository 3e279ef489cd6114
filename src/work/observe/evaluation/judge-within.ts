import { runInNewContext } from "node:vm";
import { errorWords, isObject } from "../../../pure/base/index.ts";
import { unknown, type Verdict } from "../../../pure/checks/index.ts";

/**
 * What a check says, if it says so in time. An expression of a policy can take years over a line that the agent wrote, and nothing but the
 * engine itself can stop it: a call that begins in a context of `vm` is one that it stops.
 */
export function judgeWithin(milliseconds: number, judge: () => Verdict): Verdict {
  try {
    return runInNewContext("judge()", { judge }, { timeout: milliseconds }) as Verdict;
  } catch (error) {
    const isLate = isObject(error) && error["code"] === "ERR_SCRIPT_EXECUTION_TIMEOUT"; // an Error of that context, and so none of ours
    return unknown(`The check could not be made: ${isLate ? `it took longer than ${milliseconds} ms.` : errorWords(error)}`);
  }
}
