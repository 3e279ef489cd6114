import { Command } from "commander";
import { HarnessError, namedOrSuggest } from "../../../pure/base/index.ts";
import { printList, write } from "../../terminal/index.ts";
import { addSection } from "../options/index.ts";

export function schemasCommand(): Command {
  const command = new Command("schemas")
    .description("List the published schemas, or print one")
    .argument("[schema]", "the schema to print (default: list all)")
    .option("--json", "list one JSON object per line, even in a terminal")
    .action(run);
  return addSection(command, "Examples", ["harness schemas", "harness schemas activity"]);
}

async function run(name: string | undefined, { json }: { json?: true }): Promise<void> {
  const { publishedSchemas: schemas } = await import("../published-schemas.ts");
  if (name === undefined) {
    const rows = Object.entries(schemas).map(([name, { version, title }]) => ({ name, version, title }));
    return printList(rows, { json: json === true });
  }
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  if (schema === undefined) throw new HarnessError("usage", namedOrSuggest("schema", name, Object.keys(schemas)));
  const text = `${JSON.stringify(schema.json(), null, 2)}\n`;
  await write(text);
}
