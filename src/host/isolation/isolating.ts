import { codeOf, errorWords, HarnessError } from "../../pure/base/index.ts";
import { type Evidence, type Isolation, isAtLeast, isolationOf, type Level } from "../../pure/isolation/index.ts";
import { type Launch, type Launched, type Launcher, localLauncher } from "../process/index.ts";
import { findEngine } from "./engine.ts";
import { type Isolated, isolate, type Start, type Surroundings } from "./isolate.ts";
import { seatbeltBuilder } from "./seatbelt-builder.ts";
import { bubblewrap } from "./tools.ts";

/** The walls of a run: chosen when it is planned, built before it starts. */
export interface Isolating {
  readonly launcher: Launcher;
  /** Builds and probes them. A level that was asked for is never weakened; a default falls back, and the evidence says why. */
  prepare(program: Start, limits?: Evidence["limits"]): Promise<Evidence>;
  /** What `prepare` has built. */
  evidence(): Evidence | undefined;
  /** Call it when the agent's processes are gone. Returns what a reader of the run should know. */
  close(): readonly string[];
}

/** Levels to try without a request, the best first. After the last there are no walls. */
export type Usual = readonly Exclude<Level, "none" | "container">[];

/** `unfit`: why a better default does not fit this run. */
export function isolating(
  asked: string | undefined,
  usual: Usual,
  surroundings: Surroundings,
  unfit: NonNullable<Evidence["unavailable"]> = [],
): Isolating {
  const wanted: Isolation | undefined = asked === undefined ? undefined : isolationOf(asked);
  let walls: Isolated | undefined;
  let evidence: Evidence | undefined;

  async function built(isolation: Parameters<typeof isolate>[0], program: Start): Promise<Evidence> {
    try {
      walls = isolate(isolation, surroundings);
      return await walls.verify(program);
    } catch (error) {
      walls?.close();
      walls = undefined;
      if (codeOf(error) === "" || error instanceof HarnessError) throw error;
      throw new HarnessError("log", `The walls cannot be built: ${errorWords(error)}.`, { cause: error });
    }
  }

  return {
    launcher: { id: localLauncher.id, launch, ...(wanted?.level === "container" && { enforces: ["memory", "processes", "file"] }) },
    evidence: () => evidence,
    async prepare(program, limits) {
      const { network, agent } = surroundings;
      if (network?.network !== undefined || network?.modelUrl !== undefined || surroundings.isWired === true)
        (await import("../proxy/index.ts")).checkNetwork(network ?? {}, wanted?.level ?? usual[0], agent, program, surroundings.isWired);
      evidence = { ...(await prepared(program)), ...(limits && { limits }) };
      return evidence;
    },
    close() {
      const notes = walls?.close() ?? [];
      walls = undefined;
      return notes;
    },
  };

  /** Sealed walls lead past us by themselves. */
  async function launch(program: Launch): Promise<Launched> {
    const launcher = walls?.launcher ?? localLauncher;
    if (program.wire === undefined || (evidence !== undefined && isAtLeast(evidence.level, "sealed"))) return launcher.launch(program);
    const { openWire } = await import("../proxy/index.ts");
    const way = await openWire(surroundings.agent, program, surroundings.network?.modelUrl, program.wire);
    try {
      const running = await launcher.launch({ ...program, env: way.env, args: way.args });
      let left: Promise<number | null> | undefined;
      const finish = async () => {
        const count = await running.finish();
        await way.close();
        return count;
      };
      return { ...running, finish: () => (left ??= finish()) };
    } catch (error) {
      await way.close();
      throw error;
    }
  }

  async function prepared(program: Start): Promise<Evidence> {
    if (wanted !== undefined) {
      const { level } = wanted;
      return { ...(level === "none" ? { level, verified: false } : await built({ ...wanted, level }, program)), asked: level };
    }
    const unavailable: { level: Level; why: string }[] = [...unfit];
    for (const level of usual) {
      try {
        return { ...(await built({ level }, program)), ...(unavailable.length > 0 && { unavailable }) };
      } catch (error) {
        if (!(error instanceof HarnessError) || error.code === "log") throw error; // a failing disk does not weaken the walls
        unavailable.push({ level, why: error.message });
      }
    }
    return { level: "none", verified: false, ...(unavailable.length > 0 && { unavailable }) };
  }
}

/** Throws a sentence with the remedy if this machine cannot give a run what it asks for or requires. */
export function checkIsolation(asked: string | undefined, required: string | undefined, path: string | undefined): void {
  const wanted = asked ?? required;
  if (wanted === undefined) return;
  const { level, image } = isolationOf(wanted === "container" ? "container:any" : wanted);
  if (level === "container" && asked !== undefined) findEngine(image ?? "", path);
  else if (level !== "none" && level !== "container") {
    if (process.platform === "darwin") seatbeltBuilder(level);
    else bubblewrap(path);
  }
  if (required !== undefined) requireLevel({ level, verified: false }, required);
}

/** Whether this machine can build the walls of a level. */
export function canIsolate(level: Usual[number]): boolean {
  try {
    checkIsolation(level, undefined, process.env["PATH"]);
    return true;
  } catch (error) {
    if (error instanceof HarnessError) return false;
    throw error;
  }
}

/** Throws if the level in force is less than this one. */
export function requireLevel({ level, unavailable = [] }: Evidence, required: string): void {
  const { level: least } = isolationOf(required === "container" ? "container:any" : required, "requireIsolation");
  if (isAtLeast(level, least)) return;
  const why = unavailable.map(({ why }) => ` ${why}`).join("");
  throw new HarnessError("start", `The level ${least} is required, and this run would have ${level}.${why}`, {
    option: "requireIsolation",
  });
}
