/** One value, as it was written, and where. */
export interface Setting {
  /** As TOML writes it: `agents.claude.model`. */
  readonly key: string;
  readonly path: readonly string[];
  readonly value: SettingValue;
  /** The file it came from. */
  readonly file: string;
}

export type SettingValue = string | number | readonly string[];

/** A key as TOML writes it: what is no bare key stands in quotes, so that two different paths never read alike. */
export function keyOf(path: readonly string[]): string {
  return path.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}
