import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runPaths } from "../../host/recording/index.ts";
import { HarnessError, type JsonObject, objectOf, parseObject, wordOf } from "../../pure/base/index.ts";
import type { HarnessEvent } from "../../pure/events/index.ts";
import { conversationOf } from "./conversation-of.ts";
import type { ModelMessage } from "./model-message.ts";

/** A conversation to resume, and its last node. */
export interface History {
  readonly messages: readonly ModelMessage[];
  /** The run, and the node of its graph. */
  readonly run: string;
  readonly node: string;
}

/** A longer chain of resumed runs is a circle. */
const LONGEST_CHAIN = 1000;

/** The conversation of our agent's recorded run, including the runs that it resumed. */
export function readHistory(directory: string, at?: string, depth = 0): History {
  const run = basename(directory);
  const { lines, session } = recordedLines(directory);
  const resumed = objectOf(session?.["resumes"]);
  const [earlier, node] = [wordOf(resumed?.["run"]), wordOf(resumed?.["node"])];
  const before = (runId: string) => {
    const isMain = session !== undefined && runId === session["sessionId"];
    if (earlier === undefined || !isMain || depth > LONGEST_CHAIN) return [];
    return readHistory(join(dirname(directory), basename(earlier)), node, depth + 1).messages;
  };
  const found = conversationOf(lines as unknown as readonly HarnessEvent[], at, before);
  if (found === undefined) {
    const what = at === undefined ? "it has no messages" : `its graph has no node ${JSON.stringify(at)}`;
    throw new HarnessError("usage", `The run ${run} cannot be resumed: ${what}.`);
  }
  return { messages: found.messages, run, node: at ?? `${found.runId}:end` };
}

function recordedLines(directory: string): { readonly lines: readonly JsonObject[]; readonly session: JsonObject | undefined } {
  const objects = textOf(directory)
    .split("\n")
    .map(parseObject)
    .filter((object) => object !== undefined);
  const session = objects.find((object) => object["type"] === "harness_session");
  return { lines: objects.filter((object) => typeof object["runId"] === "string"), session };
}

function textOf(directory: string): string {
  try {
    return readFileSync(runPaths(directory).stdout, "utf8");
  } catch (error) {
    throw new HarnessError("input", `Cannot read the resumed run ${basename(directory)}. It may have been deleted.`, {
      cause: error,
    });
  }
}
