import { setImmediate } from "node:timers/promises";
import { type LedgerEntry, loadScenarios, serveModel } from "../model/index.ts";

export interface ScriptedModel {
  readonly url: string;
  /** How many entries of the ledger are of requests that were made before now. */
  served(): Promise<number>;
  /** Ends it; the ledger is complete then. */
  close(): Promise<readonly LedgerEntry[]>;
}

/** A server for one run, so that every run has its own ledger. */
export async function scriptedModel(file: string): Promise<ScriptedModel> {
  const model = await serveModel({ scenarios: loadScenarios([file]) });
  return {
    url: model.url,
    served: async () => {
      const before = model.ledger.length;
      // A request of our own is in the ledger when those before it are.
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
