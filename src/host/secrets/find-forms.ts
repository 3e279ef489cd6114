import { findBytes, type Place } from "./find-bytes.ts";
import { type Openings, openingsOf } from "./openings.ts";
import { SHORTEST_SECRET } from "./secret-forms.ts";

export interface FindSecrets {
  /** The length of the longest secret; 0 if there is nothing to find. */
  readonly longest: number;
  /** Whether a secret may continue after a line that is full of base64 or hex. */
  readonly spansLines?: true;
  /** Every range that a secret covers, in order; ranges that overlap or touch are merged. None contains a newline. */
  find(bytes: Uint8Array): readonly Place[];
  /** What is searched for; undefined if only fingerprints are known. */
  readonly forms?: readonly Uint8Array[];
  /** Undefined if the beginnings of the secrets are not known: any text may be one. */
  readonly openings?: Openings;
}

export const nothingToFind: FindSecrets = { longest: 0, find: () => [] };

/** Finds these bytes. Expects forms from `secretForms`; forms shorter than eight bytes are ignored. */
export function findForms(forms: readonly Uint8Array[]): FindSecrets {
  const long = forms.filter((form) => form.length >= SHORTEST_SECRET).map((form) => Buffer.from(form));
  let openings: Openings | undefined;
  return {
    longest: Math.max(0, ...long.map(({ length }) => length)),
    find: findBytes(long),
    forms: long,
    get openings() {
      openings ??= openingsOf(long);
      return openings;
    },
  };
}
