import { join } from "node:path";
import { type FileSeal, type Flaw, isRunId, jsonText, sealOfFile, unsealed } from "../../../host/recording/index.ts";
import { isObject, type JsonObject, parseObject, spelled } from "../../../pure/base/index.ts";
import { artifactsOf, block, isFileBelow, textOf } from "../audit/index.ts";
import { firstBreach } from "./contract.ts";

const EVENTS = "events.jsonl";

/** `seal.json` of an observation. */
export interface OutSeal {
  readonly run_id: string;
  readonly head: string;
  readonly digest: string;
  readonly records: number;
  readonly files: Readonly<Record<string, FileSeal>>;
}

/** Checks the nine events of a file against the contract. Without a flaw, they meet it. */
export function contractFlaw(path: string, file: string = EVENTS): { readonly flaw?: Flaw; readonly events: readonly JsonObject[] } {
  const text = textOf(path);
  if (text === undefined) return { flaw: { file, problem: "it is missing, or is not a file" }, events: [] };
  const events: JsonObject[] = [];
  const places: { readonly line: number; readonly offset: number }[] = [];
  let offset = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const place = { line: index + 1, offset };
    offset += Buffer.byteLength(line) + 1;
    if (line === "" && offset > Buffer.byteLength(text)) break;
    const event = parseObject(line);
    if (event === undefined) return { flaw: { file, ...place, problem: "this is not a JSON object" }, events };
    events.push(event);
    places.push(place);
  }
  const breach = firstBreach(events);
  if (breach === undefined) return { events };
  const where = places[breach.event] ?? { line: events.length + 1, offset: Buffer.byteLength(text) };
  return { flaw: { file, ...where, problem: `${breach.problem} (${breach.must})` }, events };
}

/** Checks that the files which the events name exist and match. Returns the first flaw. */
export function evidenceFlaw(out: string, events: readonly JsonObject[]): Flaw | undefined {
  for (const [index, event] of events.entries()) {
    for (const { id, ref, hash } of artifactsOf(event).flatMap(refsOf)) {
      const found = isFileBelow(out, ref) ? sealOfFile(join(out, ref)) : undefined;
      if (found !== undefined && `sha256:${found.sha256}` === hash) continue;
      const problem = found === undefined ? `its evidence ${id} is missing` : `its evidence ${id} does not match its hash`;
      return { file: EVENTS, line: index + 1, problem: `${problem}: ${ref}` };
    }
  }
  return undefined;
}

function refsOf(artifact: JsonObject): readonly { readonly id: string; readonly ref: string; readonly hash: string }[] {
  const { id, content_ref: ref, hash, metadata } = artifact;
  const about = isObject(metadata) ? metadata : {};
  const manifests = ["before_manifest", "after_manifest"].map((name) => ({ id: name, ...block(about, name) }) as JsonObject);
  return [{ id, content_ref: ref, hash }, ...manifests].flatMap((each) =>
    typeof each.content_ref === "string" ? [{ id: spelled(each.id), ref: each.content_ref, hash: spelled(each.hash) }] : [],
  );
}

export function sealFlaws(
  out: string,
  events: readonly JsonObject[],
): { readonly seal?: OutSeal; readonly text?: string; readonly flaws: readonly Flaw[] } {
  const file = "seal.json";
  const text = textOf(join(out, file));
  const value = parseObject(text ?? "");
  if (value === undefined) return { flaws: [{ file, problem: "it is missing, or damaged: the observation is not sealed" }] };
  if (!isSeal(value) || text !== jsonText(value)) return { flaws: [{ file, problem: "it is not the seal of an observation" }] };
  const flaws = Object.entries(value.files).flatMap(([name, sealed]): readonly Flaw[] => {
    const found = isFileBelow(out, name) ? sealOfFile(join(out, name)) : undefined;
    if (found?.sha256 === sealed.sha256 && found.bytes === sealed.bytes) return [];
    return [{ file: name, problem: found === undefined ? "it is missing" : "it is not what was sealed" }];
  });
  const named = events.flatMap(artifactsOf).flatMap(refsOf);
  const needed = new Set([EVENTS, "metadata.json", ...named.map(({ ref }) => ref)]);
  const lacking = [...needed].filter((name) => !Object.hasOwn(value.files, name));
  const ids = [runIdOf(out), ...events.map((event) => block(event, "session")["run_id"])];
  return {
    seal: value,
    ...(text !== undefined && { text }),
    flaws: [
      ...flaws,
      ...lacking.map((name) => ({ file, problem: `it does not cover ${name}` })),
      ...unsealed(join(out, "artifacts"), "artifacts/", value.files),
      ...(ids.some((id) => id !== value.run_id) ? [{ file, problem: "it belongs to a different run than the observation" }] : []),
    ],
  };
}

/** The run of an observation, by its own account, until the recording is checked. */
export function runIdOf(out: string): string | undefined {
  const id = parseObject(textOf(join(out, "metadata.json")) ?? "")?.["run_id"];
  return typeof id === "string" && isRunId(id) ? id : undefined;
}

function isSeal(value: JsonObject): value is JsonObject & OutSeal {
  const { run_id, head, digest, records, files } = value;
  if (typeof run_id !== "string" || ![head, digest].every(isHash) || !Number.isSafeInteger(records) || !isObject(files)) return false;
  return Object.values(files).every((each) => isObject(each) && isHash(each["sha256"]) && Number.isSafeInteger(each["bytes"]));
}

function isHash(value: unknown): boolean {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
