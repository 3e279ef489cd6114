import { balanceOf } from "../../eval/balance.ts";
import { openCaseFile } from "../../eval/cases/case-file.ts";
import { percent } from "../../eval/reports/amounts.ts";
import { textTable } from "../../eval/reports/text-table.ts";
import type { BalanceFlags } from "../commands/balance.ts";
import { inTerminal } from "../output.ts";
import { printable } from "../printable.ts";
import { withOutput } from "../with-output.ts";

/** `harness balance` */
export async function printBalance(path: string, { output, json, force }: BalanceFlags): Promise<void> {
  const file = openCaseFile(path);
  const balance = balanceOf(file.places, (place) => file.read(place));
  await withOutput(output, force === true, async (write) => {
    if (json || output !== undefined || !inTerminal()) await write(`${JSON.stringify(balance)}\n`);
    else {
      const { metadata, ...counts } = balance;
      const rows = metadata.flatMap(({ name, values, missing, rare }) => [
        ...values.map(({ value, cases, share }) => [`${name}=${value}`, String(cases), percent(share), rare.includes(value) ? "rare" : ""]),
        ...(missing > 0 ? [[`${name} not said`, String(missing), percent(missing / balance.cases), ""]] : []),
      ]);
      await write(
        textTable({ title: "Cases", head: ["", "cases"], rows: Object.entries(counts).map(([name, count]) => [name, String(count)]) }),
      );
      if (rows.length > 0) await write(printable(`\n${textTable({ title: "Metadata", head: ["", "cases", "share", ""], rows })}`));
    }
  });
}
