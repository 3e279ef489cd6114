import { hash, randomBytes } from "node:crypto";
import { isObject } from "../../../pure/base/index.ts";
import { type FindSecrets, findEncoded, placeList, SHORTEST_SECRET } from "../../secrets/index.ts";

/** Lets a later process find secrets that it does not know and that were never stored. */
export interface Fingerprints {
  /** Hex. */
  readonly salt: string;
  readonly forms: readonly Fingerprint[];
}

export interface Fingerprint {
  readonly length: number;
  /** 16 bits of a hash of its first eight bytes, to preselect places worth checking. */
  readonly tag: number;
  /** SHA-256 of the salt and the form, hex. */
  readonly digest: string;
}

const WINDOW = SHORTEST_SECRET;
/** More than any environment can hold: a damaged file must not make us allocate endless memory. */
const LONGEST = 64 * 1024 * 1024;

/** Expects forms from `secretForms`; forms shorter than eight bytes are left out. */
export function fingerprintsOf(forms: readonly Uint8Array[]): Fingerprints {
  const salt = randomBytes(32);
  const factor = factorOf(salt);
  const print = (form: Uint8Array) => ({
    length: form.length,
    tag: tagOf(form, factor),
    digest: hash("sha256", Buffer.concat([salt, form])),
  });
  return { salt: salt.toString("hex"), forms: forms.filter(({ length }) => length >= WINDOW).map(print) };
}

/**
 * Finds what has these fingerprints. A rolling hash over eight bytes costs the same for any number of forms; per form, one place in 65,536
 * is checked in vain. Damaged fingerprints are skipped.
 */
export function findFingerprints(prints: Fingerprints): FindSecrets {
  const salt = Buffer.from(String(prints.salt), "hex");
  const forms = (Array.isArray(prints.forms) ? prints.forms : []).filter(isFingerprint);
  const longest = Math.max(0, ...forms.map(({ length }) => length));
  const factor = factorOf(salt);
  const leaving = powerOf(factor, WINDOW);
  const tags = new Uint8Array(0x10000);
  const byTag = new Map<number, Fingerprint[]>();
  for (const form of forms) {
    tags[form.tag] = 1;
    byTag.set(form.tag, [...(byTag.get(form.tag) ?? []), form]);
  }
  const salted = Buffer.alloc(salt.length + longest);
  salt.copy(salted);

  function isAt(bytes: Uint8Array, start: number, { length, digest }: Fingerprint): boolean {
    if (start + length > bytes.length) return false;
    salted.set(bytes.subarray(start, start + length), salt.length);
    return hash("sha256", salted.subarray(0, salt.length + length)) === digest;
  }

  return findEncoded({
    longest,
    find(bytes) {
      const places = placeList();
      let rolling = 0;
      for (let i = 0; i < bytes.length; i++) {
        rolling = (Math.imul(rolling, factor) + (bytes[i] ?? 0)) | 0;
        if (i >= WINDOW) rolling = (rolling - Math.imul(bytes[i - WINDOW] ?? 0, leaving)) | 0;
        if (tags[rolling >>> 16] === 0 || i < WINDOW - 1) continue;
        const start = i - WINDOW + 1;
        for (const form of byTag.get(rolling >>> 16) ?? []) if (isAt(bytes, start, form)) places.add(start, start + form.length);
      }
      return places.all;
    },
  });
}

/** Odd, and large enough that one byte reaches the upper half, which is the tag. */
function factorOf(salt: Uint8Array): number {
  return Buffer.from(hash("sha256", salt), "hex").readInt32BE(0) | 0x01000001;
}

function powerOf(factor: number, exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power = Math.imul(power, factor);
  return power;
}

function tagOf(form: Uint8Array, factor: number): number {
  let rolling = 0;
  for (let i = 0; i < WINDOW; i++) rolling = (Math.imul(rolling, factor) + (form[i] ?? 0)) | 0;
  return rolling >>> 16;
}

function isFingerprint(value: unknown): value is Fingerprint {
  if (!isObject(value) || typeof value["digest"] !== "string") return false;
  const { length, tag } = value;
  const isCount = (number: unknown, min: number, max: number) => Number.isInteger(number) && Number(number) >= min && Number(number) <= max;
  return isCount(length, WINDOW, LONGEST) && isCount(tag, 0, 0xffff);
}
