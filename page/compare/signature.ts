import type { PageEvent } from "../source/index.ts";
import { rawText } from "../timeline/index.ts";

/** Two steps are the same if their content and their outcome are. Times and the working directory do not count. */
export function signatureOf(event: PageEvent, end: PageEvent | undefined, cwd: string | null): string {
  const text = rawText([event.type, contentOf(event), end === undefined ? null : outcomeOf(end)]);
  return digest(cwd === null || cwd.length < 2 ? text : text.replaceAll(JSON.stringify(cwd).slice(1, -1), "."));
}

function contentOf(event: PageEvent): unknown {
  switch (event.type) {
    case "tool-start":
      return [event.tool, event.input];
    case "message":
      return [event.role, event.text.trim()];
    case "reasoning":
      return event.text.trim();
    case "subagent-start":
      return [event.name, event.description];
    case "subagent-end":
      return [event.name, event.success];
    case "warning":
    case "error":
      return event.message;
    default:
      return event.type;
  }
}

function outcomeOf(end: PageEvent): unknown {
  return end.type === "tool-end" ? [end.success, end.exitCode, end.interrupted] : null;
}

/** Two hashes and the length identify a text; a collision of all three is negligible. */
function digest(text: string): string {
  let one = 0x811c9dc5;
  let two = 5381;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193);
    two = (Math.imul(two, 33) + code) | 0;
  }
  return `${one >>> 0}.${two >>> 0}.${text.length}`;
}
