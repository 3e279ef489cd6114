/** Characters that some file systems ignore in names: zero-width ones, direction marks, variation selectors. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A path in a form that is equal for all spellings that some file system treats as one: Unicode forms, letter case, ignored characters.
 * Use it to forbid: a name that may be the forbidden one counts as it. To allow, compare exact names.
 */
export function folded(path: string): string {
  return path.normalize("NFKC").replace(IGNORED, "").toUpperCase().toLowerCase().normalize("NFKC");
}
