import { findKnown } from "../../../host/secrets/index.ts";
import type { Objects } from "../../../host/workspace/index.ts";

/** Contents that outlive the process only if they hold no secret. */
export interface GuardedObjects extends Objects {
  /** Whether these contents hold a secret, so that they are kept only until the process ends. */
  isSecret(sha256: string): boolean;
}

/** `kept` stays on disk; `aside` is removed with the process, which needs all contents for new workspaces and for patches. */
export function guardedObjects(kept: Objects, aside: Objects): GuardedObjects {
  let find = findKnown();
  /** Checked for all secrets known so far. */
  const clean = new Set<string>();
  const secret = new Set<string>();

  function isClean(sha256: string, contents: () => Uint8Array): boolean {
    if (find !== findKnown()) {
      find = findKnown();
      clean.clear(); // more secrets are known now
    }
    if (secret.has(sha256)) return false;
    if (clean.has(sha256)) return true;
    const isFree = find.longest === 0 || find.find(contents()).length === 0;
    (isFree ? clean : secret).add(sha256);
    return isFree;
  }

  const storeOf = (sha256: string) => (aside.has(sha256) ? aside : kept);

  return {
    isSecret: (sha256) => secret.has(sha256),
    has: (sha256) => aside.has(sha256) || (clean.has(sha256) && kept.has(sha256)),
    read: (sha256) => storeOf(sha256).read(sha256),
    hasLength: (length) => kept.hasLength(length) || aside.hasLength(length),
    add(bytes, contents) {
      let at = 0;
      return contents.flatMap((content) => {
        const part = bytes.subarray(at, at + content.length);
        at += content.length;
        return (isClean(content.sha256, () => part) ? kept : aside).add(part, [content]);
      });
    },
    begin() {
      const pending = aside.begin(); // whether it is clean is known only at its end
      return {
        write: (piece) => pending.write(piece),
        cancel: () => pending.cancel(),
        finish(sha256) {
          if (!pending.finish(sha256)) return false;
          const whole = () => Buffer.concat(Array.from(aside.read(sha256), (piece) => Buffer.from(piece)));
          if (!isClean(sha256, whole) || kept.has(sha256)) return true;
          const copy = kept.begin();
          for (const piece of aside.read(sha256)) copy.write(piece);
          return copy.finish(sha256);
        },
      };
    },
    close() {
      kept.close();
      aside.close();
    },
  };
}
