import { FAILED, kindNumber, LEFT_OUT, ROW_BYTES, readRow } from "../../src/pure/timeline/index.ts";
import { DETAIL, groupNumber, groups, PROBLEM } from "./groups.ts";
import { kindName } from "./kind-name.ts";

/** All events of a run as columns; event `seq` is at `seq - 1`. */
export interface Columns {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly flags: Uint8Array;
  readonly lane: Uint16Array;
  readonly ms: Uint32Array;
  /** `link`: the start that an end belongs to. `endOf`: the end of a start. 0 if there is none. */
  readonly link: Uint32Array;
  readonly endOf: Uint32Array;
  /** An index into `groups`. */
  readonly group: Uint8Array;
  /** 1 if the event or the call it starts failed. */
  readonly problem: Uint8Array;
  /** Events per group; a failed call also counts as a problem. */
  readonly counts: Uint32Array;
  /** Tool calls started. */
  readonly calls: number;
  append(rows: ArrayBuffer): void;
}

const FIRST = 4096;
const CALL = kindNumber("tool-start");

export function columns(): Columns {
  let kind = new Uint8Array(FIRST);
  let flags = new Uint8Array(FIRST);
  let lane = new Uint16Array(FIRST);
  let ms = new Uint32Array(FIRST);
  let link = new Uint32Array(FIRST);
  let endOf = new Uint32Array(FIRST);
  let group = new Uint8Array(FIRST);
  let problem = new Uint8Array(FIRST);
  const counts = new Uint32Array(groups.length);
  let count = 0;
  let calls = 0;

  function makeRoom(wanted: number): void {
    if (wanted <= kind.length) return;
    const room = Math.max(wanted, Math.ceil(kind.length * 1.5));
    const wider = <T extends Uint8Array | Uint16Array | Uint32Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    kind = wider(new Uint8Array(room), kind);
    flags = wider(new Uint8Array(room), flags);
    lane = wider(new Uint16Array(room), lane);
    ms = wider(new Uint32Array(room), ms);
    link = wider(new Uint32Array(room), link);
    endOf = wider(new Uint32Array(room), endOf);
    group = wider(new Uint8Array(room), group);
    problem = wider(new Uint8Array(room), problem);
  }

  function isWrong(i: number): void {
    if (problem[i] === 1) return;
    problem[i] = 1;
    if (group[i] !== PROBLEM && group[i] !== DETAIL) counts[PROBLEM] = (counts[PROBLEM] ?? 0) + 1;
  }

  function add({ kind: type, flags: marks, lane: thread, ms: after, link: linked }: ReturnType<typeof readRow>): void {
    const i = count++;
    const number = type === LEFT_OUT ? groups.length : groupNumber(type, marks, linked); // in no group, so never shown
    kind[i] = type;
    flags[i] = marks;
    lane[i] = thread;
    ms[i] = after;
    link[i] = linked;
    group[i] = number;
    counts[number] = (counts[number] ?? 0) + 1;
    if (type === CALL) calls++;
    const isEnd = linked > 0 && kindName(type)?.endsWith("-end");
    if (isEnd) endOf[linked - 1] = i + 1;
    if (number === PROBLEM) problem[i] = 1;
    else if ((marks & FAILED) !== 0) {
      isWrong(i);
      if (isEnd) isWrong(linked - 1);
    }
  }

  return {
    get count() {
      return count;
    },
    get kind() {
      return kind;
    },
    get flags() {
      return flags;
    },
    get lane() {
      return lane;
    },
    get ms() {
      return ms;
    },
    get link() {
      return link;
    },
    get endOf() {
      return endOf;
    },
    get group() {
      return group;
    },
    get problem() {
      return problem;
    },
    counts,
    get calls() {
      return calls;
    },
    append(rows) {
      const more = Math.floor(rows.byteLength / ROW_BYTES);
      makeRoom(count + more);
      const view = new DataView(rows);
      for (let i = 0; i < more; i++) add(readRow(view, i * ROW_BYTES));
    },
  };
}
