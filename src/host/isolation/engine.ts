import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { HarnessError } from "../../pure/base/index.ts";
import { findBinary, installed, type Wanted } from "../process/index.ts";
import { isSystem } from "./mounts.ts";

/** Docker or Podman, and an image that it has. */
export interface Engine {
  readonly name: "podman" | "docker";
  readonly path: string;
  readonly version: string;
  /** The image's name and its hash. */
  readonly image: string;
  /** What this engine needs and the other does not know. */
  readonly options: readonly string[];
}

/**
 * The agent's program inside a container: that of this machine if it lies outside of the system's directories, which are the image's;
 * otherwise the image's own, by the same name or path.
 */
export function programInImage(wanted: Wanted): string {
  const [named] = wanted.binary === undefined ? wanted.names : [wanted.binary];
  try {
    const found = findBinary(wanted);
    if (named === undefined || !isSystem(found)) return found;
  } catch (error) {
    if (named === undefined || named === "") throw error;
  }
  return named.includes("/") ? resolve(wanted.cwd, named) : named;
}

const LONGEST_MS = 20_000;

/** Podman first: it needs no daemon. Throws a sentence with the remedy. Images are never downloaded. */
export function findEngine(image: string, path: string | undefined): Engine {
  if (process.platform !== "linux") throw unavailable("Containers are only supported on Linux");
  const said: string[] = [];
  for (const name of ["podman", "docker"] as const) {
    const file = installed([name], path);
    if (file === undefined) {
      said.push(`${name} was not found on PATH`);
      continue;
    }
    const about = ask(file, ABOUT[name]);
    const id = about.ok ? ask(file, ["image", "inspect", "--format", "{{.Id}}", "--", image]) : undefined;
    if (id?.ok)
      return {
        name,
        path: file,
        version: about.text.split(" ")[0] ?? "",
        image: `${image} (${id.text})`,
        options: optionsFor(name, about.text),
      };
    said.push(about.ok ? `${name} has no image ${image}` : `${name} does not work here (${about.text})`);
  }
  const remedy = said.some((each) => each.includes("has no image"))
    ? "Build or pull the image first"
    : "Install one (apt-get install podman), or start the daemon of Docker and join its group";
  throw unavailable(`No container can be started: ${said.join(", ")}. ${remedy}`);
}

/** The version, and whether the engine runs without root. */
const ABOUT = {
  podman: ["info", "--format", "{{.Version.Version}} {{.Host.Security.Rootless}}"],
  docker: ["info", "--format", "{{.ServerVersion}} {{.SecurityOptions}}"],
} as const;

/** A setting of the machine that root can change without any capability. Docker cannot hide it. */
const MASK = "--security-opt=mask=/proc/pressure";

/** The user inside is the one outside, so that files and processes belong to it. */
function optionsFor(name: Engine["name"], about: string): readonly string[] {
  const own = `--user=${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  if (name === "podman") return [own, MASK, ...(about.endsWith(" true") ? ["--userns=keep-id"] : [])];
  return [about.includes("rootless") ? "--user=0:0" : own]; // its root is the user outside
}

interface Answer {
  readonly ok: boolean;
  readonly text: string;
}

function ask(file: string, args: readonly string[]): Answer {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    encoding: "utf8",
    timeout: LONGEST_MS,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status === 0) return { ok: true, text: stdout.trim() };
  const [line = ""] = (error?.message ?? stderr).trim().split("\n").slice(-1);
  return { ok: false, text: line.replace(/^(?:Error|errors?|ERROR): /, "").replace(/\.$/, "") };
}

function unavailable(why: string): HarnessError {
  return new HarnessError("start", `${why}, or choose a different level.`, { option: "isolate" });
}
