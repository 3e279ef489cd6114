/** Merges a user's settings into the defaults, including nested objects. */
export function merge(defaults, settings) {
  for (const key in settings) {
    if (typeof settings[key] === "object") merge(defaults[key], settings[key]);
    else defaults[key] = settings[key];
  }
  return defaults;
}
