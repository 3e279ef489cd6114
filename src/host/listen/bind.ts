import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { codeOf, errorWords, HarnessError } from "../../pure/base/index.ts";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** The host names that a request may use. A foreign name that resolves to this machine is not among them. */
export function namesOf(host: string): readonly string[] {
  const isAny = host === "0.0.0.0" || host === "::" || host === "[::]";
  const own = isAny
    ? [hostname(), ...Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])]
    : [host];
  return [...new Set([...LOOPBACK, ...own.map((name) => shownHost(name).toLowerCase())])];
}

export function shownHost(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** Resolves to the port. */
export function bind(server: Server, host: string, port: number, orAny: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: unknown) => {
      if (codeOf(error) === "EADDRINUSE" && orAny) resolve(bind(server, host, 0, false));
      else reject(listenError(error, host, port));
    };
    server.once("error", failed);
    server.listen({ port, host: host.replace(/^\[(.*)\]$/, "$1") }, () => {
      server.off("error", failed);
      server.on("error", () => {});
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function listenError(error: unknown, host: string, port: number): HarnessError {
  const code = codeOf(error);
  const why =
    code === "EADDRINUSE"
      ? `Port ${port} is in use. Choose a different port, or 0 for any free one.`
      : code === "EACCES"
        ? `Port ${port} needs administrator rights. Choose a port above 1023.`
        : `Cannot listen on ${host}:${port}: ${errorWords(error)}.`;
  return new HarnessError("usage", why, { cause: error });
}
