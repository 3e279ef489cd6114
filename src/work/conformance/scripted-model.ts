import { setImmediate } from "node:timers/promises";
import { type LedgerEntry, loadScenarios, serveModel } from "../model/index.ts";

export interface ScriptedModel {
  readonly url: string;
  /** How many ledger entries belong to earlier requests. */
  served(): Promise<number>;
  close(): Promise<readonly LedgerEntry[]>;
}

/** Starts one server per run, so that every run has its own ledger. */
export async function scriptedModel(file: string, known: readonly string[] = []): Promise<ScriptedModel> {
  const model = await serveModel({ scenarios: loadScenarios([file]), known });
  return {
    url: model.url,
    served: async () => {
      const before = model.ledger.length;
      // Once our own request is in the ledger, so are all earlier ones.
      await fetch(`${model.url}/v1/models`).then((answer) => answer.text());
      while (!model.ledger.slice(before).some(({ kind }) => kind === "other")) await setImmediate();
      return model.ledger.length;
    },
    close: async () => {
      await model.close();
      return [...model.ledger];
    },
  };
}
