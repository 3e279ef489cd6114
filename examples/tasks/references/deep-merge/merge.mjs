const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Defaults and what a user has set, objects inside objects too; neither is changed. */
export function merge(defaults, settings) {
  const merged = { ...defaults };
  for (const [key, value] of Object.entries(settings)) {
    if (key === "__proto__" || value === undefined) continue;
    merged[key] = isPlain(value)
      ? merge(isPlain(merged[key]) && Object.hasOwn(merged, key) ? merged[key] : {}, value)
      : structuredClone(value);
  }
  return merged;
}
