/** What a snapshot of a workspace may cost. Entries that do not fit are listed with the reason. */
export interface Limits {
  /** Names listed, of all types. */
  readonly entries: number;
  /** Bytes read in total, and per file. */
  readonly bytes: number;
  readonly fileBytes: number;
  readonly milliseconds: number;
}

export const LIMITS: Limits = { entries: 2_000_000, bytes: 64 * 2 ** 30, fileBytes: 2 * 2 ** 30, milliseconds: 300_000 };

export interface Budget extends Limits {
  expired(): boolean;
  /** Why a file of that size is not read; undefined if it may be. */
  refuses(size: number): "file-budget" | "byte-budget" | "time-budget" | undefined;
  spend(bytes: number): void;
  spent(): number;
}

export function budgetOf(limits: Partial<Limits> = {}): Budget {
  const all = { ...LIMITS, ...limits };
  const end = performance.now() + all.milliseconds;
  let spent = 0;
  let asked = 0;
  let isOver = false;
  /** Reads the clock on the first call and on every eighth: no step between two calls takes long. */
  const expired = (): boolean => {
    if (!isOver && asked++ % 8 === 0) isOver = performance.now() >= end;
    return isOver;
  };
  return {
    ...all,
    expired,
    refuses(size) {
      if (size > all.fileBytes) return "file-budget";
      if (spent + size > all.bytes) return "byte-budget";
      return expired() ? "time-budget" : undefined;
    },
    spend(bytes) {
      spent += bytes;
    },
    spent: () => spent,
  };
}
