/** Fills `{{name}}` from the values. */
export function fill(template, values) {
  return template.replace(/{{(\w+)}}/g, (_, name) => values[name]);
}
