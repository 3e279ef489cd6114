import type { EntrantEntry } from "../entrants.ts";

/** Every side, followed by the same side without these: its control. */
export function withControls(entries: readonly EntrantEntry[], without: readonly string[]): readonly EntrantEntry[] {
  if (without.length === 0) return entries;
  return entries.flatMap((entry) => {
    const name = entry.label ?? (typeof entry.agent === "string" ? entry.agent : entry.agent.id);
    return [entry, { ...entry, label: `${name} without ${without.join(", ")}`, without: [...(entry.without ?? []), ...without] }];
  });
}
