import { HarnessError } from "../../pure/base/index.ts";
import { bridged } from "./bridge.ts";
import type { Connection } from "./connection.ts";
import { openGateway } from "./gateway.ts";
import type { Wiring } from "./open-wire.ts";
import { allowedHost, networkPolicy } from "./policy.ts";
import { type RoutedAgent, routeOf } from "./route.ts";
import { checkSealedWire, type Program, wirePoints } from "./wire-route.ts";

/** What a run may reach. */
export interface NetworkOptions {
  /** `model`, `allow:<hosts>`, `open` or `none`. Default: `model`. */
  readonly network?: string | undefined;
  /** The address of the agent's model, if it is not the agent's default and none of its variables names it. */
  readonly modelUrl?: string | undefined;
}

/** The network of one program inside walls that let nothing out. */
export interface SealedNetwork {
  /** A directory with sockets that the program needs. */
  readonly folder?: string;
  /** Arguments that lead the agent to its model; they come before its own. */
  readonly args: readonly string[];
  /** Turns a command into one that opens the way out first. `inside` is the path of `folder` there, `node` that of Node. */
  wrap(command: readonly string[], inside: string, node?: string): readonly string[];
  /** The program's environment: real keys are replaced by placeholders. */
  readonly env: NodeJS.ProcessEnv;
  /** Variables whose values stay outside. */
  readonly held: readonly string[];
  close(): Promise<void>;
}

/** Checks the options without opening anything. `level` is the one that was asked for. */
export function checkNetwork(
  options: NetworkOptions,
  level: string | undefined,
  agent: RoutedAgent,
  { env, args }: Program,
  isWired = false,
): void {
  const { network, modelUrl } = options;
  const isSealed = level === "sealed" || level === "container";
  const option = network !== undefined ? "network" : modelUrl !== undefined && !isWired ? "modelUrl" : undefined;
  if (option !== undefined && !isSealed)
    throw new HarnessError("usage", `\`${option}\` is for the levels sealed and container. Choose one of them, or leave it out.`, {
      option,
    });
  if (network !== undefined) networkPolicy(network);
  if (isWired && !isSealed) wirePoints(agent, { env, args }, modelUrl);
  else if (isWired) checkSealedWire(agent, env, modelUrl);
  else routeOf(agent, env, modelUrl);
}

/** Programs that ignore these variables reach nothing but the model. */
function proxyVariables(port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const none = "localhost,127.0.0.1,::1";
  const both = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: none };
  return {
    ...both,
    ...Object.fromEntries(Object.entries(both).map(([name, value]) => [name.toLowerCase(), value])),
    NODE_USE_ENV_PROXY: "1",
  };
}

const PROXY_VARIABLES: ReadonlySet<string> = new Set(Object.keys(proxyVariables(0)));

export async function sealNetwork(
  { network = "model", modelUrl }: NetworkOptions,
  agent: RoutedAgent,
  env: NodeJS.ProcessEnv,
  record: (connection: Connection) => void,
  wire?: Wiring,
): Promise<SealedNetwork> {
  const policy = networkPolicy(network);
  const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !PROXY_VARIABLES.has(name)));
  if (policy.kind === "none")
    return {
      args: [],
      wrap: (command) => command,
      env: rest,
      held: [],
      close: async () => {},
    };
  const { models, hosts, keys, env: moved, args } = routeOf(agent, env, modelUrl);
  const gateway = await openGateway({
    policy: { ...policy, hosts: [...policy.hosts, ...hosts.map(allowedHost)] },
    models,
    keys,
    record,
    ...(wire && { tap: wire.tap, instead: wire.instead }),
  });
  const { folder, proxyPort } = gateway;
  const placeholders = Object.fromEntries(keys.map(({ variable, placeholder }) => [variable, placeholder]));
  return {
    folder,
    args,
    wrap: (command, inside, node) => bridged(command, inside, gateway, node),
    env: { ...rest, ...placeholders, ...moved, ...proxyVariables(proxyPort) },
    held: keys.map(({ variable }) => variable),
    close: () => gateway.close(),
  };
}
