/** Fills `{{name}}` and `{{a.b}}` from the values. A missing value is an error. */
export function fill(template, values) {
  return template.replace(/{{\s*([\w.]+)\s*}}/g, (_, path) => {
    let value = values;
    for (const name of path.split(".")) {
      if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) throw new Error(`There is no value for ${path}.`);
      value = value[name];
    }
    return String(value);
  });
}
