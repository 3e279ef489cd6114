import { isTemporary } from "./changed-places.ts";
import type { StraceCall } from "./strace-call.ts";

/** A descriptor of a process: the object behind it, as the system showed it last, with later moves applied. */
export interface Descriptor {
  readonly path: string;
  /** Its name is gone. `temporary`: it never had one. */
  readonly nameless?: "removed" | "temporary";
  readonly closesOnExec: boolean;
  /** The line of the trace that showed it. */
  readonly since: number;
}

export type Descriptors = Map<number, Descriptor>;

/** Calls that only pass descriptors on or close them. */
export const PASSING: readonly string[] = ["dup", "dup2", "dup3", "fcntl", "close", "close_range", "recvmsg", "recvmmsg", "pidfd_getfd"];

interface Holder {
  files: Descriptors;
}

/** Learns which objects a process's descriptors lead to. A number that two threads set at the same time is forgotten. */
export function learnDescriptors(call: StraceCall, holder: Holder, { from, to }: { readonly from: number; readonly to: number }): void {
  const { name, args, result, path } = call;
  if (name === "close") return void holder.files.delete(Number.parseInt(args[0] ?? "", 10));
  if (result === undefined || result < 0) return;
  const set = (fd: number, found: Omit<Descriptor, "since">) => {
    if ((holder.files.get(fd)?.since ?? 0) > from) holder.files.delete(fd);
    else holder.files.set(fd, { ...found, since: to });
  };
  const flags = args.join(" ");
  if (name === "close_range") return closeRange(args, holder);
  if (name === "unshare" && flags.includes("CLONE_FILES")) holder.files = new Map(holder.files);
  if (name === "fcntl" && args[1] === "F_SETFD") return keep(holder, args[0], flags.includes("FD_CLOEXEC"));
  if (name === "ioctl" && /^FION?CLEX$/.test(args[1] ?? "")) return keep(holder, args[0], args[1] === "FIOCLEX");
  if (name === "recvmsg" || name === "recvmmsg")
    for (const { fd, path: shown, isNameless } of call.descriptors(rightsIn(args[1] ?? "")))
      set(fd, { path: shown, ...(isNameless && { nameless: "removed" }), closesOnExec: flags.includes("MSG_CMSG_CLOEXEC") });
  else if (path !== undefined)
    set(result, {
      path,
      ...(call.isNameless && { nameless: isTemporary(call) ? "temporary" : (origin(call, holder) ?? "removed") }),
      closesOnExec: flags.includes("CLOEXEC"),
    });
}

/** A copy of a descriptor for a file that never had a name is one too. */
function origin(call: StraceCall, { files }: Holder): Descriptor["nameless"] {
  if (!/^(?:dup|fcntl)/.test(call.name)) return undefined;
  return files.get(Number.parseInt(call.args[0] ?? "", 10))?.nameless;
}

function rightsIn(text: string): string {
  return [...text.matchAll(/cmsg_type=SCM_RIGHTS, cmsg_data=\[[^\]]*\]/g)].map(([found]) => found).join(" ");
}

function keep({ files }: Holder, arg: string | undefined, closesOnExec: boolean): void {
  const fd = Number.parseInt(arg ?? "", 10);
  const known = files.get(fd);
  if (known !== undefined) files.set(fd, { ...known, closesOnExec });
}

function closeRange([first, last, flags = ""]: readonly string[], holder: Holder): void {
  if (flags.includes("CLOSE_RANGE_UNSHARE")) holder.files = new Map(holder.files);
  for (const [fd, known] of holder.files) {
    if (fd < Number.parseInt(first ?? "", 10) || fd > Number.parseInt(last ?? "", 10)) continue;
    if (flags.includes("CLOSE_RANGE_CLOEXEC")) holder.files.set(fd, { ...known, closesOnExec: true });
    else holder.files.delete(fd);
  }
}

/** The descriptors that a newly started program still has. */
export function afterExec(files: Descriptors): Descriptors {
  return new Map([...files].filter(([, { closesOnExec }]) => !closesOnExec));
}

/** Follows a move of a file or directory. */
export function movedPath(path: string, from: string, to: string): string {
  return path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
}
