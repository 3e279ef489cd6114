import assert from "node:assert/strict";

export async function check({ ask }) {
  const values = { name: "Ada", user: { city: "Ulm", age: 0 }, cash: "$& $1" };
  const filled = await ask("template.mjs", ({ fill }, v) => fill("{{name}} of {{ user.city }} is {{user.age}}: {{cash}}", v), values);
  assert.equal(filled, "Ada of Ulm is 0: $& $1");
  for (const path of ["nobody", "user.name", "name.length", "constructor"]) {
    const message = await ask(
      "template.mjs",
      ({ fill }, v, text) => {
        try {
          return `filled: ${fill(text, v)}`;
        } catch (error) {
          return error.message;
        }
      },
      values,
      `{{${path}}}`,
    );
    assert.ok(message.includes(path) && !message.startsWith("filled"), `{{${path}}} gave ${message}`);
  }
}
