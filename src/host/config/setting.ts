/** One value as written, with its file. */
export interface Setting {
  /** As TOML writes it: `agents.claude.model`. */
  readonly key: string;
  readonly path: readonly string[];
  readonly value: SettingValue;
  readonly file: string;
}

export type SettingValue = string | number | readonly string[];

/** A key in TOML syntax. A part that is not a bare key is quoted, so two different paths never look the same. */
export function keyOf(path: readonly string[]): string {
  return path.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}
