import { Command } from "commander";
import { hideSecrets } from "../../../host/secrets/index.ts";
import { watchReader, write, writeAside } from "../../terminal/index.ts";
import { addSection, explain, paragraph, portOf } from "../options/index.ts";

interface Flags {
  readonly port: number;
  readonly ledger?: string;
  readonly check?: true;
}

export function modelCommand(): Command {
  const command = new Command("model")
    .description("Serve a scripted model to agents on this machine")
    .argument("<path...>", "scenario files (YAML or JSON), or directories with them")
    .option("--port <port>", "the port to listen on; 0 takes a free one", portOf, 0)
    .option("--ledger <file>", "also append the ledger to this file")
    .option("--check", "check the scenarios and list their markers, without serving")
    .action(run);
  explain(
    command,
    "Real agents can use it without an account or network. A prompt selects a scenario by its marker, such as [[one-turn]].",
  );
  addSection(
    command,
    "Output",
    paragraph(
      "The first line on stdout is the address. One JSON object per answered request follows: the ledger. stderr shows how to point an agent at it. SIGINT and SIGTERM end it with exit code 0.",
    ),
  );
  return addSection(command, "Examples", [
    "# Serve every scenario in a directory until Ctrl-C:",
    "#   harness model scenarios --port 8080",
    "# Only check them:",
    "#   harness model scenarios --check",
  ]);
}

async function run(paths: readonly string[], { port, ledger, check }: Flags): Promise<void> {
  const { ledgerFile, loadScenarios, serveModel } = await import("../../../work/model/index.ts");
  const scenarios = loadScenarios(paths);
  if (check) return write(scenarios.map(({ marker }) => `${marker}\n`).join(""));
  const { modelGuide } = await import("../../../work/conformance/index.ts");
  const file = ledger === undefined ? undefined : ledgerFile(ledger);
  const output = lineWriter();
  const model = await serveModel({
    scenarios,
    port,
    onEntry: (entry) => {
      const line = hideSecrets(JSON.stringify(entry));
      output.print(line, () => file?.append(line));
    },
  });
  output.print(model.url);
  const { marker = "" } = scenarios.find((each) => each.marker === "one-turn") ?? scenarios[0] ?? {};
  watchReader();
  writeAside(modelGuide(model.url, `Hello [[${marker}]]`));
  try {
    await Promise.race([signal(), output.failure]);
  } finally {
    await model.close();
    await output.done().finally(() => file?.close());
  }
}

/** Writes lines one after the other, so that they cannot mix. `failure` never resolves; it rejects if a write fails. */
function lineWriter() {
  let written = Promise.resolve();
  let fail: (error: unknown) => void = () => {};
  const failure = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  return {
    failure,
    print(line: string, also?: () => void): void {
      written = written.then(() => write(`${line}\n`)).then(also);
      written.catch(fail);
    },
    done: () => written,
  };
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", () => resolve()).once("SIGTERM", () => resolve());
  });
}
