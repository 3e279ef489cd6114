import { balanceOf } from "../../../work/evaluate/balance.ts";
import { openCaseFile } from "../../../work/evaluate/cases/case-file.ts";
import { percent } from "../../../work/evaluate/reports/amounts.ts";
import { textTable } from "../../../work/evaluate/reports/text-table.ts";
import { inTerminal } from "../../terminal/output.ts";
import { printable } from "../../terminal/printable.ts";
import { withOutput } from "../../terminal/with-output.ts";
import type { BalanceFlags } from "./index.ts";

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
