export type Key = string;

/** What terminals send for a key: in normal mode, in application mode, and on the Linux console. */
const NAMES: ReadonlyMap<string, Key> = new Map([
  ["[A", "up"],
  ["OA", "up"],
  ["[B", "down"],
  ["OB", "down"],
  ["[C", "right"],
  ["OC", "right"],
  ["[D", "left"],
  ["OD", "left"],
  ["[5~", "page-up"],
  ["[6~", "page-down"],
  ["[H", "home"],
  ["OH", "home"],
  ["[1~", "home"],
  ["[7~", "home"],
  ["[F", "end"],
  ["OF", "end"],
  ["[4~", "end"],
  ["[8~", "end"],
]);

const CONTROLS: ReadonlyMap<string, Key> = new Map([
  ["\r", "enter"],
  ["\n", "enter"],
  ["\x7f", "backspace"],
  ["\b", "backspace"],
  ["\x03", "ctrl-c"],
  ["\x1a", "ctrl-z"],
  ["\x0c", "ctrl-l"],
  ["\x15", "ctrl-u"],
  ["\x02", "page-up"],
  ["\x06", "page-down"],
  [" ", "space"],
]);

/** A complete escape sequence, and the start of one. */
const SEQUENCE = /^\x1b(\[[0-9;?<]*[@-~]|O[@-~])/;
const BEGUN = /^\x1b(?:\[[0-9;?<]*|O)?$/;

/** Characters at a time. More than this was not typed: it took 1.6 s to read 8 MB. */
const MOST = 64 * 1024;

/** Reads keys from input that may be cut anywhere. Unknown sequences are dropped, and so is what no one could have typed. */
export function readKeys() {
  let held = "";
  return {
    push(text: string): readonly Key[] {
      const keys: Key[] = [];
      held = (held + text).slice(0, MOST);
      while (held !== "" && !BEGUN.test(held)) keys.push(...next());
      return keys;
    },
    /** Whether the input so far may be the start of a sequence. */
    isWaiting: (): boolean => held !== "",
    /** No more input came: a lone escape is the Escape key. */
    flush(): readonly Key[] {
      const isAlone = held === "\x1b";
      held = "";
      return isAlone ? ["escape"] : [];
    },
  };

  function next(): readonly Key[] {
    const sequence = SEQUENCE.exec(held);
    const first = sequence?.[0] ?? String.fromCodePoint(held.codePointAt(0) ?? 0);
    held = held.slice(first.length);
    if (sequence !== null) return [NAMES.get(sequence[1] ?? "")].filter((name) => name !== undefined);
    if (first === "\x1b") return ["escape"];
    const control = CONTROLS.get(first);
    if (control !== undefined) return [control];
    return first < " " ? [] : [first];
  }
}
