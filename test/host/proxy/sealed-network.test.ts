import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { Connection } from "../../../src/host/proxy/connection.ts";
import { type NetworkOptions, sealNetwork } from "../../../src/host/proxy/sealed-network.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function model(): Promise<string> {
  const server = createServer((request, response) => response.end(`model ${request.headers.authorization}`));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanups.push(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Runs a shell script in a new network namespace. */
async function inside(script: string, options: NetworkOptions, env: NodeJS.ProcessEnv = {}) {
  const records: Connection[] = [];
  const network = await sealNetwork(options, {}, { PATH: process.env["PATH"], ...env }, (each) => records.push(each));
  const [binary = "", ...args] = network.wrap(["/bin/sh", "-c", script], network.folder ?? "");
  const walls = ["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--unshare-net", "--die-with-parent", "--cap-drop", "ALL"];
  const child = spawn("bwrap", [...walls, binary, ...args], {
    env: { ...network.env, HARNESS_RUN_COOKIE: "c" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end("from outside");
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  await network.close();
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), records, network };
}

test("the model's port answers inside with the real key, and nothing else does", async () => {
  const url = await model();
  const other = await model();
  const script = `curl -sS -H "authorization: Bearer $X_API_KEY" ${url}; echo; curl -s -m 5 --noproxy '*' ${other} || echo refused $?; curl -sS ${other.replace("127.0.0.1", "127.0.0.1.nip.example")} `;
  const { stdout, records } = await inside(script, { modelUrl: url }, { X_API_KEY: "the-real-key" });
  expect(stdout).toBe("model Bearer the-real-key\nrefused 7\nharness: this run reaches only its model.\n");
  expect(records.map(({ decision }) => decision)).toEqual(["allow", "deny"]);
});

test("the agent keeps its own descriptors, exit code, environment and place in the process tree", async () => {
  const url = await model();
  const list = "ls /proc/self/fd | tr '\\n' ' '";
  const script = `cat; echo; ${list}; echo $PPID $0 "$HARNESS_RUN_COOKIE"; echo no >&2; exit 37`;
  const { code, stdout, stderr } = await inside(script, { modelUrl: url });
  const usual = execFileSync("/bin/sh", ["-c", list], { encoding: "utf8" });
  expect([code, stdout, stderr]).toEqual([37, `from outside\n${usual}1 /bin/sh c\n`, "no\n"]);
});

test("a killed bridge leaves the agent without a network, and nothing else", async () => {
  const url = await model();
  const script = `for p in /proc/[0-9]*; do case $(readlink $p/exe) in */node) kill -9 \${p#/proc/};; esac; done; sleep 0.2; curl -s -m 5 ${url} || echo refused $?; exit 3`;
  const { code, stdout } = await inside(script, { modelUrl: url });
  expect([code, stdout]).toEqual([3, "refused 7\n"]);
});

test("signals to the group of the agent do not end the bridge", async () => {
  const url = await model();
  const script = `trap '' TERM INT HUP; for s in TERM INT HUP; do kill -$s -1; done; sleep 0.2; curl -sS ${url}`;
  expect((await inside(script, { modelUrl: url })).stdout).toBe("model undefined");
});

test("without a network there is neither a proxy nor a model", async () => {
  const url = await model();
  const { stdout, network } = await inside(
    `curl -s -m 5 ${url} || echo refused $?; env | grep -ci _proxy`,
    { network: "none", modelUrl: url },
    { HTTPS_PROXY: "http://proxy.example" },
  );
  expect([stdout, network.folder]).toEqual(["refused 7\n0\n", undefined]);
});

test("an agent that looks everywhere does not find the real key", async () => {
  const url = await model();
  const real = "sk-ant-api03-canary-1f2e3d4c5b6a";
  const script = `env; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null; for m in /proc/[0-9]*/maps; do p=\${m%/maps}; grep -s rw-p $m | cut -d' ' -f1 | while IFS=- read a b; do dd if=$p/mem bs=4096 skip=$((0x$a/4096)) count=$(( (0x$b-0x$a)/4096 )) 2>/dev/null; done; done | grep -ac 'canary-1f2e'`;
  const { stdout, network } = await inside(script, { modelUrl: url }, { ANTHROPIC_API_KEY: real });
  expect(network.held).toEqual(["ANTHROPIC_API_KEY"]);
  expect(stdout).toContain("ANTHROPIC_API_KEY=sk-ant-api03-placeholder-");
  expect(stdout).not.toContain(real);
});

test("this machine has bubblewrap and curl for these tests", () => {
  expect(spawnSync("bwrap", ["--version"]).status).toBe(0);
  expect(execFileSync("curl", ["--version"]).length).toBeGreaterThan(0);
});
