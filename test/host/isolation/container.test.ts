import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { removeImage, testImage } from "../../support/image.ts";
import { cleanUp, type Done, eventually, LONG_MS, type Place, place, processesOf } from "../../support/place.ts";

const made = mkdtempSync(join(tmpdir(), "harness-container-"));
const image = process.platform === "linux" ? testImage() : undefined;
afterAll(() => {
  cleanUp();
  removeImage(image);
  rmSync(made, { recursive: true, force: true });
});

/** Runs a shell script of the workspace as the agent. */
function runScript(here: Place, script: string, more: readonly string[] = [], env: Record<string, string> = {}): Promise<Done> {
  writeFileSync(join(here.root, "..", "work", "agent.sh"), script);
  return here.run(["--agent", "generic", "--isolate", `container:${image}`, ...more, "--command", "sh agent.sh"], { env });
}

/** The containers of this test's image. */
function containers(): readonly string[] {
  const { stdout } = spawnSync("podman", ["ps", "--all", "--format", "{{.Image}} {{.Names}}"], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(`${image}`));
}

describe.runIf(image !== undefined)("an agent in a container", { timeout: 4 * LONG_MS }, () => {
  test("bytes, exit codes and signals are the agent's own, and it leaves nothing", async () => {
    const here = place();
    const script = String.raw`printf 'a\000b\377\n'; printf 'err\n' >&2; exit 3`;
    expect((await runScript(here, script)).code).toBe(1);
    const first = here.recording();
    expect(readFileSync(join(here.runs, first.manifest.id, "raw.jsonl"))).toEqual(Buffer.from("a\0b\xff\n", "latin1"));
    expect(first.stderr).toBe("err\n");
    expect(first.sealed).toMatchObject({ exitCode: 3, signal: null, leftovers: 0 });
    expect(first.manifest.isolation).toMatchObject({ level: "container", asked: "container", tool: "podman", verified: true });
    expect(first.manifest.isolation?.image).toMatch(new RegExp(`^${image} \\([0-9a-f]{64}\\)$`));
    expect((await here.harness(["verify", first.manifest.id])).code).toBe(0);
    const second = place();
    await runScript(second, "kill -9 $$");
    expect(second.recording().sealed).toMatchObject({ exitCode: null, signal: "SIGKILL", status: "crashed" });
    const third = place();
    await runScript(third, "(unset HARNESS_RUN_COOKIE; setsid sleep 600 &) ; sleep 601 & exit 0");
    const { manifest, sealed } = third.recording();
    expect(sealed).toMatchObject({ exitCode: 0, leftovers: 2 });
    expect(processesOf(manifest)).toEqual([]);
    expect(containers()).toEqual([]);
  });

  test("it sees the image and its workspace, and nothing else of this machine", async () => {
    const here = place();
    const home = join(made, "home");
    mkdirSync(join(home, ".ssh"), { recursive: true });
    writeFileSync(join(home, ".ssh", "key"), "canary");
    const script = `ls -A "$HOME"; cat "$HOME/.ssh/key" "${here.root}"/runs/*/run.json /etc/shadow /etc/passwd; ls -A /var/lib /home
      touch "$HOME/mine" /tmp/mine "$TMPDIR/too" made-here; touch /usr/made /etc/made "${made}/made"; pwd; echo "$VALUE"`;
    const value = "two\nlines, 'quotes' and $dollars";
    await runScript(here, script, ["--env", `VALUE=${value}`], { HOME: home });
    const { raw, manifest } = here.recording();
    expect(raw).not.toMatch(/canary|cookie/);
    expect(raw).toContain(`${join(here.root, "..", "work")}\n${value}\n`);
    expect(existsSync(join(here.root, "..", "work", "made-here"))).toBe(true);
    expect(["/usr/made", "/etc/made", join(made, "made"), join(home, "mine"), "/tmp/mine"].filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(manifest.isolation?.place ?? "")).toBe(false);
  });

  test("a program of this machine is mounted if it lies outside of the system's directories", async () => {
    const here = place();
    const program = join(made, "bin", "own-agent");
    mkdirSync(join(made, "bin"), { recursive: true });
    writeFileSync(program, "#!/bin/sh\necho from outside\necho no >>$0\n");
    chmodSync(program, 0o755);
    await here.run(["--agent", "generic", "--isolate", `container:${image}`, "--command", program]);
    expect(here.recording().raw).toBe("from outside\n");
    expect(readFileSync(program, "utf8")).not.toContain("no\n");
  });

  test("a program that the image does not have is reported", async () => {
    const here = place();
    const done = await here.run(["--agent", "generic", "--isolate", `container:${image}`, "--command", "no-such-agent"]);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain("Cannot start no-such-agent");
  });

  test("it ends with its recorder, and the container is removed", async () => {
    const here = place();
    const args = ["run", "--prompt", "Go.", "--agent", "generic", "--isolate", `container:${image}`];
    const started = here.start([...args, "--command", "sh -c 'echo ready; setsid sleep 600 & sleep 601'"]);
    await eventually(() => expect(here.recordings().map(({ raw }) => raw)).toEqual(["ready\n"]), LONG_MS);
    const [{ manifest } = { manifest: undefined }] = here.recordings();
    expect(containers()).toHaveLength(1);
    process.kill(started.pid, "SIGKILL");
    await started.done;
    if (manifest !== undefined) await eventually(() => expect(processesOf(manifest)).toEqual([]), LONG_MS);
    await eventually(() => expect(containers()).toEqual([]), LONG_MS);
    expect((await here.harness(["runs", "--json"])).code).toBe(0);
    expect(existsSync(manifest?.isolation?.place ?? "")).toBe(false);
    expect(here.recording().raw).toBe("ready\n");
  });

  test("an agent that ignores the request to stop is killed, and its exit is known", async () => {
    const here = place();
    const script = "trap '' TERM; echo ready; while :; do sleep 1; done";
    expect((await runScript(here, script, ["--timeout", "5s", "--grace", "1s"])).code).toBe(124);
    expect(here.recording().sealed).toMatchObject({ status: "timed_out", signal: "SIGKILL" });
  });

  test("of the network it reaches its model, through our proxy", async () => {
    const here = place();
    const asked: string[] = [];
    const [model, other] = await Promise.all([serving(asked, "model"), serving(asked, "other")]);
    const url = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const fetches = `import urllib.request as r
for url in ["${url(model)}", "${url(other)}", "http://example.org/"]:
    try: print(r.urlopen(url, timeout=10).read().decode(), flush=True)
    except Exception as error: print("failed", flush=True)`;
    writeFileSync(join(here.root, "..", "work", "fetch.py"), fetches);
    await runScript(here, "python3 fetch.py", ["--model-url", url(model)]);
    model.close();
    other.close();
    expect(here.recording().raw).toBe("model\nfailed\nfailed\n");
    expect(asked).toEqual(["model"]);
    expect(here.recording().sealed?.network).toMatchObject({ allowed: 1, denied: 1 });
    expect(here.recording().manifest.isolation).toMatchObject({ network: "proxy:model" });
  });

  test("limits are the container's", async () => {
    const here = place();
    writeFileSync(join(here.root, "..", "work", "eat.py"), "data = []\nwhile True: data.append(bytearray(1 << 20))\n");
    await runScript(here, "exec python3 eat.py", ["--limit", "memory=64m,processes=50"]);
    const { sealed, manifest } = here.recording();
    expect(sealed).toMatchObject({ status: "crashed", reason: "out-of-memory" });
    expect(manifest.launcher?.about).toMatchObject({ limits: { memory: { by: "container" }, processes: { by: "container" } } });
    const second = place();
    await runScript(second, "i=0; while [ $i -lt 100 ]; do sleep 5 & i=$((i+1)); done; echo all", ["--limit", "processes=50"]);
    expect(second.recording().raw).not.toContain("all");
  });

  test("truncating its own recording is detected", async () => {
    const here = place();
    await runScript(here, "echo one; sleep 1; echo forged > /proc/self/fd/1; sleep 1; echo '{}' >> /proc/self/fd/1");
    expect(here.recording().sealed).toMatchObject({ status: "failed", reason: "evidence-lost" });
  });

  test("an image that is not there is rejected, with the remedy", async () => {
    const done = await place().run(["--agent", "generic", "--isolate", "container:no-such-image", "--command", "true"]);
    expect(done).toMatchObject({ code: 2, stdout: "" });
    expect(done.stderr).toContain("podman has no image no-such-image");
    expect(done.stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("a machine without containers", { timeout: 4 * LONG_MS }, () => {
  test.each([
    ["neither engine is installed", {}, "apt-get install podman"],
    [
      "the daemon of Docker does not run",
      { docker: "Cannot connect to the Docker daemon at unix:///var/run/docker.sock" },
      "start the daemon",
    ],
    ["Podman does not work", { podman: "Error: cannot set up namespace" }, "cannot set up namespace"],
  ])("%s: the level is rejected, with the remedy", async (_, engines, remedy) => {
    const folder = mkdtempSync(join(made, "bin-"));
    for (const [name, said] of Object.entries(engines)) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "${said}" >&2\nexit 1\n`);
      chmodSync(join(folder, name), 0o755);
    }
    const args = ["--agent", "generic", "--isolate", "container:any", "--command", "/bin/true"];
    const done = await place().run(args, { env: { PATH: folder } });
    expect(done).toMatchObject({ code: 2, stdout: "" });
    expect(done.stderr).toContain(remedy);
    expect(done.stderr.trim().split("\n")).toHaveLength(1);
  });
});

async function serving(asked: string[], name: string): Promise<Server> {
  const server = createServer((_, response) => {
    asked.push(name);
    response.end(name);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
