import { HarnessError } from "../../pure/base/index.ts";
import type { ProviderHarness } from "./provider-harness.ts";

/** The models that a harness can use are those of its provider. */
export async function modelsOf(harness: Partial<Pick<ProviderHarness, "supportedModels">>, provider?: string): Promise<readonly string[]> {
  if (harness.supportedModels === undefined) throw new HarnessError("usage", "This provider does not list its models.");
  return await harness.supportedModels(provider);
}
