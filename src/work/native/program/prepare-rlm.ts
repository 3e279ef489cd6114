import { readFileSync } from "node:fs";
import { errorWords, HarnessError } from "../../../pure/base/index.ts";
import { providerHarness } from "../provider-harness.ts";
import { readHistory } from "../read-history.ts";
import { replHarness, replPrompt } from "../repl/index.ts";
import type { Place, Prepared } from "./prepared.ts";
import type { ProgramOptions } from "./read-options.ts";
import { unattended } from "./unattended.ts";

/** A run of the model that writes programs. Only its commands touch the workspace; with read-only permissions it has none. */
export function prepareRlm(options: ProgramOptions, { prompt, runId, cwd, signal }: Place): Prepared {
  const { model, permissions: level, maxTurns, maxOutputTokens, baseUrl } = options;
  const alone = unattended(options, cwd);
  const rlm = replHarness({ provider: providerHarness(baseUrl === undefined ? {} : { baseUrl }) });
  const system = [options.systemPrompt, options.appendSystemPrompt].filter(Boolean).join("\n\n");
  const before = options.history === undefined ? undefined : readHistory(options.history, options.at);
  const events = rlm.invoke({
    model,
    prompt,
    runId,
    signal,
    ...(before && { before: before.messages, parentId: before.node }),
    permissions: alone.permissions,
    ...(level !== "read-only" && { workspace: cwd }),
    ...(options.context !== undefined && { context: contextOf(options.context) }),
    ...(system !== "" && { system }),
    ...(maxTurns !== undefined && { maxIterations: maxTurns }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  });
  return {
    events,
    answer: (relay) => void alone.answer(relay).then((answer) => rlm.resolveRelay(relay.id, answer)),
    session: {
      system: [replPrompt(level !== "read-only", true), system].filter(Boolean).join("\n\n"),
      tools: [],
      ...(before && { resumes: { run: before.run, node: before.node } }),
    },
    close: async () => {},
  };
}

/** The parsed value of a JSON file, or the text of any other file. */
function contextOf(file: string): unknown {
  try {
    const text = readFileSync(file, "utf8");
    return file.endsWith(".json") ? JSON.parse(text) : text;
  } catch (error) {
    throw new HarnessError("usage", `Cannot read the context: ${errorWords(error)}.`, { cause: error });
  }
}
