import { HarnessError } from "../../pure/base/index.ts";
import type { Provider } from "../../pure/pipeline/index.ts";
import { type HeldKey, holdKeys } from "./keys.ts";
import { given, movedTo, namesOfKeys, type RoutedAgent, routeOf, urlOf, usedProviders } from "./route.ts";

/** A program before it starts. */
export interface Program {
  readonly env: NodeJS.ProcessEnv;
  readonly args: readonly string[];
}

/** A model that an agent outside sealed walls is led to by its address. */
export interface WirePoint {
  /** Outside: its origin. */
  readonly url: URL;
  /** The program, led to the model at this address. Undefined: nothing in it names the model's address. */
  lead(program: Program, origin: string): Program | undefined;
  /** The address is among the arguments, which other users of the machine can read: the proof of the run is a key instead. */
  readonly isShown: boolean;
  readonly keys: readonly HeldKey[];
}

/** The models of an agent. Throws a sentence with the remedy if none of them can be recorded. */
export function wirePoints(agent: RoutedAgent, program: Program, modelUrl: string | undefined): readonly WirePoint[] {
  const { env, args } = program;
  const named = modelUrl === undefined ? undefined : urlOf(modelUrl);
  const found: WirePoint[] = [];
  const names = [...(agent.credentials ?? []), ...namesOfKeys(env)];
  const point = (url: URL, lead: WirePoint["lead"], isShown: boolean, keys: readonly string[]): void => {
    found.push({ url: new URL(url.origin), lead, isShown, keys: isShown ? holdKeys(keys, env) : [] });
  };
  const providers = usedProviders(agent, env);
  const isKnown = providers.some((each) => addressOf(each, env).origin === named?.origin);
  if (named !== undefined && !isKnown && isWritten(program, named)) point(named, renamed(named), isIn(args, named), names);
  else
    for (const provider of providers) {
      const url = isKnown || named === undefined ? addressOf(provider, env) : named;
      if (isKnown && url.origin !== named?.origin) continue;
      const at = (to: string) => `${to}${url.pathname.replace(/\/$/, "")}`;
      const way = movedTo(at("http://127.0.0.1:1"), provider, env);
      if (way === undefined || found.some((each) => each.url.origin === url.origin)) continue;
      const lead: WirePoint["lead"] = (before, origin) => {
        const moved = movedTo(at(origin), provider, before.env);
        return moved && { env: { ...before.env, ...moved.env }, args: [...(moved.args ?? []), ...before.args] };
      };
      point(url, lead, (way.args ?? []).length > 0, provider.keys);
    }
  if (found.length === 0) throw unreachable();
  if (found.some(({ isShown, keys }) => isShown && keys.length === 0))
    throw new HarnessError(
      "usage",
      "The agent's requests cannot be distinguished from those of other programs: no variable has its key. Set one.",
      {
        option: "wire",
      },
    );
  return found;
}

/** Some programs add the provider's usual path to an address without one, and not to ours, which has one. */
function addressOf(provider: Provider, env: NodeJS.ProcessEnv): URL {
  const [url, usual] = [urlOf(given(provider, env) ?? provider.url), urlOf(provider.url)];
  return url.pathname === "/" ? new URL(usual.pathname, url) : url;
}

/** Throws if no model of a sealed run can be recorded. */
export function checkSealedWire(agent: RoutedAgent, env: NodeJS.ProcessEnv, modelUrl: string | undefined): void {
  if (routeOf(agent, env, modelUrl).models.length === 0) throw unreachable();
}

function unreachable(): HarnessError {
  return new HarnessError(
    "usage",
    "The agent's requests cannot be recorded: its model has an address that cannot be moved, or no variable has its key. Set the key, or name a local model with `modelUrl`.",
    { option: "wire" },
  );
}

function isWritten({ env, args }: Program, url: URL): boolean {
  return isIn(args, url) || isIn(Object.values(env), url);
}

function isIn(texts: readonly (string | undefined)[], { origin }: URL): boolean {
  return texts.some((text) => text?.includes(origin));
}

/** Replaces the model's address wherever the program's variables and arguments name it. */
function renamed({ origin }: URL): WirePoint["lead"] {
  const text = new RegExp(`${origin.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![0-9])`, "g");
  return ({ env, args }, to) => ({
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value?.replace(text, () => to)])),
    args: args.map((each) => each.replace(text, () => to)),
  });
}
