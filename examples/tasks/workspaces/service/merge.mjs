/** Defaults and what a user has set, objects inside objects too. */
export function merge(defaults, settings) {
  for (const key in settings) {
    if (typeof settings[key] === "object") merge(defaults[key], settings[key]);
    else defaults[key] = settings[key];
  }
  return defaults;
}
