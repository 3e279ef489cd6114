import { percent, printable, textTable } from "../../../pure/base/index.ts";
import { balance } from "../../../work/evaluate/index.ts";
import { inTerminal, withOutput } from "../../terminal/index.ts";

export interface BalanceFlags {
  readonly output?: string;
  readonly json?: true;
  readonly force?: true;
}

export async function printBalance(path: string, { output, json, force }: BalanceFlags): Promise<void> {
  const found = balance(path);
  await withOutput(output, force === true, async (write) => {
    if (json || output !== undefined || !inTerminal()) await write(`${JSON.stringify(found)}\n`);
    else {
      const { metadata, ...counts } = found;
      const rows = metadata.flatMap(({ name, values, missing, rare }) => [
        ...values.map(({ value, cases, share }) => [`${name}=${value}`, String(cases), percent(share), rare.includes(value) ? "rare" : ""]),
        ...(missing > 0 ? [[`${name} missing`, String(missing), percent(missing / found.cases), ""]] : []),
      ]);
      await write(
        textTable({ title: "Cases", head: ["", "cases"], rows: Object.entries(counts).map(([name, count]) => [name, String(count)]) }),
      );
      if (rows.length > 0) await write(printable(`\n${textTable({ title: "Metadata", head: ["", "cases", "share", ""], rows })}`));
    }
  });
}
