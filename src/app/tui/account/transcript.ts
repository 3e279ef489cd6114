import { clip, columnsOf, notes } from "../../../pure/base/index.ts";
import type { LogRecord } from "../../../pure/events/index.ts";
import { colors } from "../../terminal/index.ts";
import type { Subagent } from "./crew.ts";
import { GUTTER, marked } from "./gutter.ts";
import { type Block, prose, renderEvent } from "./render-event.ts";
import type { RecordOf, RunState } from "./run-state.ts";

const MOST_OF_THE_PROMPT = 6;
/** Deeper subagents get no further bars. */
const DEEPEST = 5;
const BAR = 2;

/**
 * The rows of a run in order: a heading, which waits for the session until something else happens; blank lines between paragraphs; and
 * bars and names for subagents.
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

  function rowsOf(record: LogRecord, width: number): string[] {
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
    /** The rows of this record, none wider than `width`. */
    push(record: LogRecord, width: number, now: number): string[] {
      if (record.type === "session" && !hasHeading) {
        state.see(record, now);
        return heading(width);
      }
      const rows = rowsOf(record, width);
      state.see(record, now);
      return rows;
    },
  };
}

/** A later session event shows only what is new. */
function sessionNews({ sessionId, model, cwd }: RecordOf<"session">, { run, session }: RunState, room: number): Block | undefined {
  const news = notes(
    model !== run.model && model !== undefined && `model ${model}`,
    cwd !== run.cwd && cwd !== undefined && `directory ${cwd}`,
    sessionId !== session.id && sessionId !== undefined && `session ${sessionId}`,
  );
  return news === "" ? undefined : { tone: "done", rows: [colors.dim(`· ${clip(news, room - GUTTER)}`)] };
}

/** The subagent of the rows. The start and the end of a subagent belong to the agent that started it. */
function ownerOf(record: LogRecord, state: RunState): Subagent | undefined {
  if (record.type === "tool-end") return state.subagentOf(state.calls.get(record.callId)?.start.parent ?? record.parent);
  if (record.type === "subagent-end") return state.subagentOf(state.subagentOf(record.subagentId)?.parent ?? record.parent);
  return state.subagentOf(record.parent);
}
