import { basename, join } from "node:path";
import { type Flaw, runPaths, type Signature, signatureState } from "../../../host/recording/index.ts";
import { HarnessError } from "../../../pure/base/index.ts";

/** What can be signed: a run by its `run.json`, an observation by its `seal.json`. Each names the other's hash. */
export type Signed = "run" | "observation";

/** What must be signed, and by whom. It fails closed: whatever is demanded and cannot be verified is a flaw. */
export interface SignaturePolicy {
  /** A file with the signers who may sign; see ALLOWED SIGNERS in ssh-keygen(1). Demands a signature. */
  readonly allowedSigners?: string | undefined;
  /** Only these of the allowed signers count. Default: all. */
  readonly signers?: readonly string[] | undefined;
  /** What must be signed. Default: the run, if its recording is here, and the observation, if it was observed. */
  readonly signed?: readonly Signed[] | undefined;
}

export interface Signatures {
  readonly flaws: readonly Flaw[];
  readonly signer?: string;
  readonly unchecked: readonly string[];
}

/** The directories of both; undefined if they are not here. */
export interface SignedPlaces {
  readonly run: string | undefined;
  readonly observation: string | undefined;
  readonly isObserved: boolean;
}

/** Throws if the policy contradicts itself: a misspelled policy must not pass as a weaker one. */
export function checkPolicy({ allowedSigners, signers, signed }: SignaturePolicy): void {
  const odd = signed?.find((each) => each !== "run" && each !== "observation");
  if (odd !== undefined || signed?.length === 0)
    throw new HarnessError("usage", `\`signed\` takes run and observation. Found ${JSON.stringify(odd ?? "")}.`, { option: "signed" });
  if (signers?.length === 0) throw new HarnessError("usage", "`signers` is empty, so no one could sign.", { option: "signers" });
  if (allowedSigners === undefined && (signers ?? signed) !== undefined)
    throw new HarnessError("usage", "A demanded signature needs keys to check it with. Pass `allowedSigners`.", {
      option: "allowedSigners",
    });
}

/** Checks every signature that is here, and whether those that the policy demands are. */
export async function checkSignatures(places: SignedPlaces, policy: SignaturePolicy): Promise<Signatures> {
  const { allowedSigners, signers: only } = policy;
  const files = {
    run: places.run && runPaths(places.run).manifest,
    observation: places.observation && join(places.observation, "seal.json"),
  };
  const names = ["observation", "run"] as const;
  const found = new Map<Signed, Signature>();
  for (const name of names) {
    const file = files[name];
    if (file !== undefined) found.set(name, await signatureState(file, allowedSigners));
  }
  const nameOf = (name: Signed) => (name === "run" ? "run.json" : "seal.json");
  const broken = names.filter((name) => found.get(name)?.state === "broken");
  const damaged = broken.map((name) => ({ file: nameOf(name), problem: "its signature is damaged, or was made for a different file" }));
  if (allowedSigners === undefined) {
    const valid = names.filter((name) => found.get(name)?.state === "valid");
    const unable = [...found.values()].flatMap((each) => (each.state === "unchecked" ? [`signature: ${each.reason}`] : []));
    const open = valid.length === 0 ? [] : ["signature: it fits, but who signed is not checked; pass `allowedSigners`"];
    return { flaws: damaged, unchecked: [...new Set([...unable, ...open])] };
  }
  const signersOf = (name: Signed) => {
    const signature = found.get(name);
    return signature?.state === "valid" ? signature.signers.filter((each) => only === undefined || only.includes(each)) : [];
  };
  const by = names.flatMap(signersOf);
  const strangers = names.filter((name) => found.get(name)?.state === "valid" && signersOf(name).length === 0);
  const foreign = strangers.map((name) => ({ file: nameOf(name), problem: strangerProblem(only) }));
  const demanded = policy.signed ?? defaultsOf(places);
  const lacking = demanded.flatMap((name) => {
    if (files[name] === undefined) return [{ file: nameOf(name), problem: "it is not here, so no signature over it can be verified" }];
    return by.length > 0 || strangers.length > 0 || broken.length > 0 ? [] : [{ file: nameOf(name), problem: "it is not signed" }];
  });
  const [signer] = by;
  return { flaws: [...damaged, ...foreign, ...lacking.slice(0, 1)], ...(signer !== undefined && { signer }), unchecked: [] };
}

function strangerProblem(only: readonly string[] | undefined): string {
  return only === undefined ? "none of the allowed signers signed it" : `it was not signed by ${only.join(" or ")}`;
}

/** A signature over either file covers the other by its hash, which is compared elsewhere. So one is enough, if both files are here. */
function defaultsOf({ run, observation, isObserved }: SignedPlaces): readonly Signed[] {
  if (run === undefined && observation === undefined) return ["run"];
  return [...(run === undefined ? [] : (["run"] as const)), ...(isObserved ? (["observation"] as const) : [])];
}

export function unsigned(path: string): Flaw {
  return { file: basename(path), problem: "it is not part of a signed run: no signature can be verified" };
}
