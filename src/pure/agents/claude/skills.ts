// Claude Code's skills. A line after the result names the skill's directory, once per session.

import { firstWord, type JsonObject, nothing, objectOf } from "../../base/index.ts";
import type { BodyOf, Operation } from "../../events/index.ts";
import { type RunContext, STREAM_ENDED, type Translated } from "../../pipeline/index.ts";
import { skillInput } from "../tool-input.ts";
import { textOf } from "./fields.ts";

export function claudeSkills(run: RunContext) {
  const known = new Map<string, string>(); // name → directory
  const asked = new Map<string, string>(); // call id → name
  const waiting = new Map<string, { readonly name: string; readonly end: BodyOf<"tool-end"> }>(); // by call id

  return {
    /** Uses the known directory, or the path that specification 000 defines. */
    request(callId: string, input: JsonObject, cwd: string | undefined): readonly Operation[] {
      const name = firstWord(input, ["skill", "name"]);
      if (name === undefined) return nothing;
      asked.set(callId, name);
      const directory = known.get(shortName(name));
      return directory === undefined ? skillInput(input, cwd) : [at(directory, name)];
    },
    /** Holds a good result until later lines name the skill's directory. */
    result(out: Translated[], end: BodyOf<"tool-end">): void {
      const name = asked.get(end.callId);
      asked.delete(end.callId);
      if (end.success === true && name !== undefined) waiting.set(end.callId, { name, end });
      else out.push(end);
    },
    /** Call it with every line, and with undefined at the end. Emits the results that need not wait any longer. */
    settle(out: Translated[], line: JsonObject | undefined): void {
      if (waiting.size === 0) return;
      const directory = baseDirectory(line);
      if (directory !== undefined) {
        const name = directory.replace(/^.*[/\\]/, "");
        known.set(name, directory);
        for (const [callId, skill] of waiting) {
          if (shortName(skill.name) !== name) continue;
          waiting.delete(callId);
          out.push({ ...skill.end, operations: [at(directory, skill.name)], from: [...(skill.end.from ?? nothing), run.here] });
        }
      } else if (isNextStep(line)) {
        const now = line === undefined ? { rule: STREAM_ENDED } : undefined;
        for (const { end } of waiting.values()) out.push({ ...end, ...(now ?? { from: [...(end.from ?? nothing), run.here] }) });
        waiting.clear();
      }
    },
  };
}

function at(directory: string, skillName: string): Operation {
  return { kind: "skill", path: `${directory}/SKILL.md`, skillName };
}

/** A plug-in's skill is called `plugin:name`. */
function shortName(name: string): string {
  return name.replace(/^.*:/, "");
}

function baseDirectory(line: JsonObject | undefined): string | undefined {
  if (line?.["isSynthetic"] !== true) return undefined;
  return /^Base directory for this skill: (.+)/.exec(textOf(objectOf(line["message"])?.["content"]))?.[1];
}

/** The session continued, so the directory will not come. Telemetry and unreadable lines do not count. */
function isNextStep(line: JsonObject | undefined): boolean {
  return line === undefined || line["type"] === "assistant" || line["type"] === "result";
}
