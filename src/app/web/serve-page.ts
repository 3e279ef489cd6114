import type { IncomingMessage, ServerResponse } from "node:http";
import { type Refusal, serveHttp } from "../../host/listen/index.ts";
import type { DataDirectory } from "../../host/recording/index.ts";
import { errorWords, HarnessError } from "../../pure/base/index.ts";
import { findInRuns, places } from "./find-in-runs.ts";
import { type ListNews, listNews, mergedNews } from "./list-news.ts";
import { newsStream } from "./news-stream.ts";
import { readPageFile } from "./page-files.ts";
import { pageFile, refuse, sendFile, sendJson } from "./reply.ts";
import { resultRoutes } from "./result-routes.ts";
import { runList } from "./run-list.ts";
import { runLogs } from "./run-logs.ts";
import { type Ask, runRoutes } from "./run-routes.ts";
import { visit } from "./visit.ts";

export interface PageOptions {
  readonly data: DataDirectory;
  /** Directories of runs outside the data directory, by id. */
  readonly others: ReadonlyMap<string, string>;
  /** Files of `capture` or `trials`. */
  readonly results?: readonly string[];
  /** The directory with the page's script and style. */
  readonly files: string;
  /** The directory for files that can be regenerated. */
  readonly cache: string;
  /** Default: loopback. */
  readonly host?: string;
  readonly port: number;
  /** Use any free port if `port` is in use. */
  readonly orAnyPort?: boolean;
  /** How long a client may take to send its request. */
  readonly patienceMs?: number;
}

export interface PageServer {
  /** With the token in its fragment. A route may follow. */
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

const FILES: Readonly<Record<string, string>> = {
  "index.html": "text/html; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
};
const MOST_AT_A_TIME = 200;
/** Pages that are open at the same time and receive news. */
const MOST_READERS = 100;

/** Serves the page to anyone with the token. It is read-only and contacts no other host. */
export async function servePage(options: PageOptions): Promise<PageServer> {
  const { data, others, cache } = options;
  const files = new Map(Object.entries(FILES).map(([name, type]) => [name, pageFile(type, readPageFile(options.files, name))]));
  const list = runList(data, others);
  const logs = runLogs(cache);
  const news = listNews(list);
  const ofRun = runRoutes(list, logs);
  const ofResults = resultRoutes(options.results ?? [], list);
  const visitor = visit();
  let readers = 0;

  async function route(request: IncomingMessage, response: ServerResponse): Promise<Refusal | undefined> {
    const url = addressOf(request.url ?? "");
    if (url === undefined) return { status: 400, message: "This page has no such address." };
    const { pathname, searchParams: query } = url;
    const accepts = request.headers["accept-encoding"];
    const file = files.get(pathname === "/" ? "index.html" : pathname.slice(1));
    if (file !== undefined && pathname !== "/index.html") {
      sendFile(response, file, accepts); // public: it explains how to get in
      return undefined;
    }
    if (!visitor.isVisitor(request.headers.authorization))
      return { status: 401, message: "Open the address that harness view printed. It contains the token." };
    if (pathname.endsWith("/live")) {
      if (readers >= MOST_READERS) return { status: 503, message: "Too many pages are open. Close some of them." };
      readers++;
      response.on("close", () => readers--);
    }
    const [, id, rest = ""] = /^\/api\/runs\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
    if (id !== undefined) return ofRun(id, rest, { response, query });
    if (pathname.startsWith("/api/results")) return ofResults(pathname.slice("/api/results".length), { response, query });
    if (pathname === "/api/runs") return runs({ response, query });
    if (pathname === "/api/find") return find({ response, query });
    if (pathname === "/api/live") return follow(response);
    return { status: 404, message: "This page has no such address." };
  }

  async function runs({ response, query }: Ask): Promise<undefined> {
    const named = query.get("ids")?.split(",").slice(0, MOST_AT_A_TIME);
    if (named !== undefined) {
      const there = named.filter((id) => list.directory(id) !== undefined);
      sendJson(response, { rows: await Promise.all(there.map((id) => list.row(id))), next: null, directory: data.runs });
      return undefined;
    }
    const limit = Number(/^\d{1,4}$/.exec(query.get("limit") ?? "")?.[0] ?? MOST_AT_A_TIME);
    sendJson(response, { ...(await list.page(query.get("before") ?? undefined, Math.min(limit, MOST_AT_A_TIME))), directory: data.runs });
    return undefined;
  }

  async function find({ response, query }: Ask): Promise<Refusal | undefined> {
    const text = query.get("q") ?? "";
    const place = places.find((each) => each === (query.get("in") ?? "all"));
    if (text === "" || text.length > 500 || place === undefined)
      return { status: 400, message: "The parameter q must be the text to find, and in one of all, tool and path." };
    sendJson(response, await findInRuns(list, text, place, query.get("before") ?? undefined));
    return undefined;
  }

  function follow(response: ServerResponse): undefined {
    const leave = news.add(newsStream<ListNews>(response, mergedNews));
    response.on("close", leave);
    return undefined;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const refusal = await route(request, response);
      if (refusal !== undefined) refuse(response, refusal);
    } catch (error) {
      const message = error instanceof HarnessError ? error.message : `This is a bug: ${errorWords(error)}`;
      refuse(response, { status: 500, message });
    }
  }

  const listener = await serveHttp({
    answer: (request, response) => void answer(request, response),
    refuse,
    methods: ["GET", "HEAD"],
    mostBytes: 0,
    landings: ["/"],
    host: options.host,
    port: options.port,
    orAnyPort: options.orAnyPort,
    mostConnections: 256,
    mostRequests: 200,
    patienceMs: options.patienceMs,
    silenceMs: 60_000,
  });
  return {
    url: `${listener.url}/#token=${visitor.token}`,
    port: listener.port,
    async close() {
      news.close();
      logs.close();
      await listener.close();
    },
  };
}

function addressOf(text: string): URL | undefined {
  try {
    const url = new URL(text, "http://page");
    decodeURIComponent(url.pathname);
    return url.host === "page" ? url : undefined;
  } catch {
    return undefined;
  }
}
