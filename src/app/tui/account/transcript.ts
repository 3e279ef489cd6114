import colors from "picocolors";
import { clip, columnsOf, notes } from "../../../pure/base/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import type { Subagent } from "./crew.ts";
import { GUTTER, marked } from "./gutter.ts";
import { type Block, prose, renderEvent } from "./render-event.ts";
import type { RecordOf, RunState } from "./run-state.ts";

const MOST_OF_THE_PROMPT = 6;
/** Subagents of subagents stand behind no more bars than this, and always keep some room. */
const DEEPEST = 5;
const BAR = 2;

/**
 * The rows of a run in their order, with what lies between them: the heading, which waits for the session as long as
 * nothing else happens; a blank line where a new thought begins; bars and names for the work of subagents.
 */
export function transcript(state: RunState) {
  let hasHeading = false;
  let last: Block["tone"] | "heading" = "heading";
  let lastOwner: string | undefined;

  function heading(width: number): string[] {
    hasHeading = true;
    const { agent, model, cwd, prompt } = state.run;
    const { id, version } = state.session;
    const room = width - GUTTER;
    const name = clip(agent, room);
    const left = room - columnsOf(name) - 2;
    const about = left < 1 ? "" : clip(notes(model, cwd), left);
    const rows = marked(colors.cyan("◆"), [about === "" ? colors.bold(name) : `${colors.bold(name)}  ${about}`]);
    const more = clip(notes(id !== undefined && `session ${id}`, version !== undefined && `version ${version}`), room);
    if (more !== "") rows.push(`  ${colors.dim(more)}`);
    return prompt.trim() === "" ? rows : [...rows, "", ...prose(colors.bold("❯"), prompt, room, MOST_OF_THE_PROMPT)];
  }

  function behindBars(rows: readonly string[], bars: number): string[] {
    return rows.map((row) => `${colors.dim("│")} `.repeat(bars) + row);
  }

  function separator(tone: Block["tone"]): string[] {
    const isNew =
      last === "heading" || tone === "end" || tone === "asked" || (tone === "said" && (last === "done" || lastOwner !== undefined));
    return isNew ? [""] : [];
  }

  function told(record: LogRecord, width: number): string[] {
    const owner = ownerOf(record, state);
    const bars = Math.min(owner?.depth ?? 0, DEEPEST, Math.floor(width / 4 / BAR));
    const room = width - bars * BAR;
    const block = record.type === "session" ? sessionNews(record, state, room) : renderEvent(record, state, room);
    if (block === undefined) return [];
    const above = hasHeading ? [] : heading(width);
    if (bars === 0) above.push(...separator(block.tone));
    const name = owner === undefined || owner.id === lastOwner ? [] : [colors.dim(clip(owner.name, room))];
    last = block.tone;
    lastOwner = record.type === "subagent-start" ? record.subagentId : owner?.id;
    return [...above, ...behindBars([...name, ...block.rows], bars)];
  }

  return {
    /** The rows that this record adds, none wider than `width`. */
    push(record: LogRecord, width: number, now: number): string[] {
      if (record.type === "session" && !hasHeading) {
        state.see(record, now);
        return heading(width);
      }
      const rows = told(record, width);
      state.see(record, now);
      return rows;
    },
  };
}

/** A second word about the session is told where it says something new. */
function sessionNews({ sessionId, model, cwd }: RecordOf<"session">, { run, session }: RunState, room: number): Block | undefined {
  const news = notes(
    model !== run.model && model !== undefined && `model ${model}`,
    cwd !== run.cwd && cwd !== undefined && `directory ${cwd}`,
    sessionId !== session.id && sessionId !== undefined && `session ${sessionId}`,
  );
  return news === "" ? undefined : { tone: "done", rows: [colors.dim(`· ${clip(news, room - GUTTER)}`)] };
}

/** Whose rows these are. The start and the end of a subagent are told where it was started. */
function ownerOf(record: LogRecord, state: RunState): Subagent | undefined {
  if (record.type === "tool-end") return state.subagentOf(state.calls.get(record.callId)?.start.parent ?? record.parent);
  if (record.type === "subagent-end") return state.subagentOf(state.subagentOf(record.subagentId)?.parent ?? record.parent);
  return state.subagentOf(record.parent);
}
