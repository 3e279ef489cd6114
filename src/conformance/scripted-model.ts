import type { LedgerEntry } from "../model/ledger.ts";
import { loadScenarios } from "../model/load-scenarios.ts";
import { serveModel } from "../model/serve-model.ts";

export interface ScriptedModel {
  readonly url: string;
  /** Ends it; the ledger is complete then. */
  close(): Promise<readonly LedgerEntry[]>;
}

/** A server for one run, so that every run has its own ledger. */
export async function scriptedModel(file: string): Promise<ScriptedModel> {
  const model = await serveModel({ scenarios: loadScenarios([file]) });
  return {
    url: model.url,
    close: async () => {
      await model.close();
      return [...model.ledger];
    },
  };
}
