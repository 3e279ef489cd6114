/** What tokens cost: a dated table, and your own rates. */

export { overridesIn, setOverride } from "./overrides.ts";
export { type Price, priceOf, ratesOf, TABLE } from "./price.ts";
