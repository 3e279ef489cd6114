const isPlain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Merges a user's settings into the defaults, including nested objects. Changes neither. */
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
