import { HarnessError } from "../../pure/base/index.ts";
import type { Agent, Provider } from "../../pure/pipeline/index.ts";
import { freePort } from "./gateway.ts";
import { type HeldKey, holdKeys } from "./keys.ts";
import type { Endpoint } from "./model-server.ts";
import { isLoopback, targetOf } from "./target.ts";

/** How an agent reaches its model from inside. */
export interface Route {
  readonly models: readonly Endpoint[];
  /** Hosts that it must reach by itself, through the proxy: their address cannot be moved, or its login is in a file. */
  readonly hosts: readonly string[];
  /** Keys that stay outside. */
  readonly keys: readonly HeldKey[];
  readonly env: Readonly<Record<string, string>>;
  /** Come before the agent's own. */
  readonly args: readonly string[];
}

export type RoutedAgent = Pick<Agent, "providers" | "credentials">;

/** `modelUrl`: the address of the model, if the agent's own settings name one that is not among its variables. */
export function routeOf({ providers = [], credentials = [] }: RoutedAgent, env: NodeJS.ProcessEnv, modelUrl?: string): Route {
  const named = modelUrl === undefined ? undefined : urlOf(modelUrl);
  if (named !== undefined && isLocal(named))
    return { models: [local(named)], hosts: [], keys: holdKeys([...credentials, ...namesOfKeys(env)], env), env: {}, args: [] };
  if (named !== undefined && providers.length === 0) return { models: [], hosts: [named.host], keys: [], env: {}, args: [] };
  const models: Endpoint[] = [];
  const hosts: string[] = [];
  const held: string[] = [];
  const plain: string[] = []; // the agent itself sends these to a provider, encrypted
  const moved = { env: {} as Record<string, string>, args: [] as string[] };
  for (const provider of usedProviders({ providers }, env)) {
    const url = named ?? urlOf(given(provider, env) ?? provider.url);
    const keys = provider.keys.filter((name) => env[name]);
    const port = isLocal(url) ? local(url).port : freePort(models.map((each) => each.port));
    const elsewhere = isLocal(url) ? {} : keys.length > 0 ? movedTo(inside(port, url), provider, { ...env, ...moved.env }) : undefined;
    if (elsewhere === undefined) {
      hosts.push(url.host, ...(provider.logins ?? []));
      plain.push(...keys);
      continue;
    }
    if (!models.some((each) => each.port === port)) models.push({ port, url: new URL(url.origin) });
    Object.assign(moved.env, elsewhere.env);
    moved.args.push(...(elsewhere.args ?? []));
    held.push(...keys);
  }
  const keys = holdKeys(
    held.filter((name) => !plain.includes(name)),
    env,
  );
  return { models, hosts, keys, ...moved };
}

/** Those that the environment names or has a key for; all of them if it does neither. */
export function usedProviders({ providers = [] }: RoutedAgent, env: NodeJS.ProcessEnv): readonly Provider[] {
  const used = providers.filter((each) => given(each, env) !== undefined || each.keys.some((name) => env[name]));
  return used.length > 0 ? used : providers;
}

/** Undefined: nothing moves this provider. */
export function movedTo(url: string, provider: Provider, env: NodeJS.ProcessEnv): ReturnType<NonNullable<Provider["at"]>> {
  const [variable] = provider.variables ?? [];
  return variable === undefined ? provider.at?.(url, env) : { env: { [variable]: url } };
}

export function given({ variables = [] }: Provider, env: NodeJS.ProcessEnv): string | undefined {
  return variables.map((name) => env[name]).find((value) => value !== undefined && value !== "");
}

export function namesOfKeys(env: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(env).filter((name) => name.endsWith("_API_KEY"));
}

function inside(port: number, { pathname }: URL): string {
  return `http://127.0.0.1:${port}${pathname.replace(/\/$/, "")}`;
}

/** A model on this machine has the same port inside, so nothing that names its address changes. */
function local(url: URL): Endpoint {
  const port = Number(url.port) || 80;
  if (port > 1023) return { port, url: new URL(url.origin) };
  throw new HarnessError("usage", `The model's port ${port} cannot be opened inside. Serve the model on a port above 1023.`, {
    option: "modelUrl",
  });
}

function isLocal(url: URL): boolean {
  return url.protocol === "http:" && isLoopback(url.hostname.replace(/^\[(.*)\]$/, "$1"));
}

/** Without a scheme it is a host, as in `OLLAMA_HOST`. */
export function urlOf(text: string): URL {
  const whole = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && targetOf(url.host, 443) !== undefined && url.username === "") return url;
  throw new HarnessError("usage", `Not the address of a model: ${text}. Use one like https://api.example.org or http://127.0.0.1:8080.`, {
    option: "modelUrl",
  });
}
