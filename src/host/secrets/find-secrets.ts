import { findEncoded } from "./find-encoded.ts";
import { type FindSecrets, findForms } from "./find-forms.ts";
import { secretForms } from "./secret-forms.ts";
import type { Secret } from "./secret-names.ts";

/** Finds these secrets in every form. */
export function findSecrets(secrets: Iterable<Pick<Secret, "value">>): FindSecrets {
  return findEncoded(findForms(secretForms(Array.from(secrets, ({ value }) => value))));
}
