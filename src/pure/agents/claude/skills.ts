// Claude Code's skills: where one really is, is told by a line after its result, once per session. Part of claude.ts.

import { firstWord, type JsonObject, nothing, objectOf } from "../../base/index.ts";
import type { BodyOf, EventBody, Operation } from "../../events/index.ts";
import { skillInput } from "../tool-input.ts";
import { textOf } from "./fields.ts";

export function claudeSkills() {
  const known = new Map<string, string>(); // directory by name
  const asked = new Map<string, string>(); // name by call
  const waiting = new Map<string, { readonly name: string; readonly end: BodyOf<"tool-end"> }>(); // by call

  return {
    /** In the place that is known, else where 000 synthesizes it. */
    request(callId: string, input: JsonObject, cwd: string | undefined): readonly Operation[] {
      const name = firstWord(input, ["skill", "name"]);
      if (name === undefined) return nothing;
      asked.set(callId, name);
      const directory = known.get(shortName(name));
      return directory === undefined ? skillInput(input, cwd) : [at(directory, name)];
    },
    /** A good result is held until the lines that follow have said where the skill is. */
    result(out: EventBody[], end: BodyOf<"tool-end">): void {
      const name = asked.get(end.callId);
      asked.delete(end.callId);
      if (end.success === true && name !== undefined) waiting.set(end.callId, { name, end });
      else out.push(end);
    },
    /** Called with every line, and with none at the end: gives what need not wait any longer. */
    settle(out: EventBody[], line: JsonObject | undefined): void {
      if (waiting.size === 0) return;
      const directory = baseDirectory(line);
      if (directory !== undefined) {
        const name = directory.replace(/^.*[/\\]/, "");
        known.set(name, directory);
        for (const [callId, skill] of waiting) {
          if (shortName(skill.name) !== name) continue;
          waiting.delete(callId);
          out.push({ ...skill.end, operations: [at(directory, skill.name)] });
        }
      } else if (isNextStep(line)) {
        for (const { end } of waiting.values()) out.push(end);
        waiting.clear();
      }
    },
  };
}

function at(directory: string, skillName: string): Operation {
  return { kind: "skill", path: `${directory}/SKILL.md`, skillName };
}

/** A skill of a plug-in is called `plugin:name`. */
function shortName(name: string): string {
  return name.replace(/^.*:/, "");
}

function baseDirectory(line: JsonObject | undefined): string | undefined {
  if (line?.["isSynthetic"] !== true) return undefined;
  return /^Base directory for this skill: (.+)/.exec(textOf(objectOf(line["message"])?.["content"]))?.[1];
}

/** The session goes on: what was not told by now will not be. Telemetry and lines nobody can read do not count. */
function isNextStep(line: JsonObject | undefined): boolean {
  return line === undefined || line["type"] === "assistant" || line["type"] === "result";
}
