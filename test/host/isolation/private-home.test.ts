import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { isolate } from "../../../src/host/isolation/isolate.ts";
import { bubblewrap } from "../../../src/host/isolation/tools.ts";
import { runProgram } from "../../../src/host/process/index.ts";
import { LONG_MS } from "../../support/place.ts";

const made = mkdtempSync(join(tmpdir(), "harness-home-test-"));
afterAll(() => rmSync(made, { recursive: true, force: true }));

const AGENT = {
  credentialFiles: [".agent/auth.json", ".agent/settings.json"],
  refreshedFiles: [".agent/auth.json"],
  sessionFolders: [".agent/sessions"],
  needs: { moved: { AGENT_HOME: ".agent" } },
};

/** A home with a login, settings, a session and a secret; and a workspace. */
function homeAndWorkspace() {
  const base = mkdtempSync(join(made, "case-"));
  const [home, workspace] = [join(base, "home"), join(base, "workspace")];
  for (const [name, text] of Object.entries({
    ".agent/auth.json": "old",
    ".agent/settings.json": "settings",
    ".agent/sessions/1": "session",
    ".ssh/key": "secret",
  })) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  mkdirSync(workspace);
  return { base, home, workspace };
}

/** Runs a shell script inside walls of the level files. `meanwhile` runs before they are closed. */
async function inside({ home, workspace }: ReturnType<typeof homeAndWorkspace>, script: string, meanwhile = () => {}, env = {}) {
  const environment = { PATH: process.env["PATH"], HOME: home, ...env };
  const walls = isolate({ level: "files" }, { agent: AGENT, environment, given: [], workspace });
  const program = { binary: "/bin/sh", args: ["-c", script], cwd: workspace, env: environment };
  const end = await runProgram({ ...program, timeoutMs: LONG_MS, launcher: walls.launcher });
  meanwhile();
  return { ...end, notes: walls.close() };
}

describe.runIf(works())("an agent with its own sandbox", { timeout: 2 * LONG_MS }, () => {
  const sandbox = { args: ["--no-sandbox"], env: { SANDBOX: "harness" } };
  test.each([
    ["that cannot work inside, learns of the walls", "files", sandbox, "--no-sandbox harness\n"],
    [
      "that works inside, learns of them only as root",
      "files",
      { ...sandbox, nests: true as const },
      process.getuid?.() === 0 ? "--no-sandbox harness\n" : " \n",
    ],
    ["keeps it at process", "process", sandbox, " \n"],
  ] as const)("%s", async (_, level, told, said) => {
    const { home, workspace } = homeAndWorkspace();
    const environment = { PATH: process.env["PATH"], HOME: home };
    const walls = isolate({ level }, { agent: { ...AGENT, needs: { sandbox: told } }, environment, given: [], workspace });
    const script = join(workspace, "agent");
    writeFileSync(script, '#!/bin/sh\necho "$1 $SANDBOX"\n', { mode: 0o755 });
    const program = { binary: script, args: [], cwd: workspace, env: environment };
    const { stdout } = await runProgram({ ...program, timeoutMs: LONG_MS, launcher: walls.launcher });
    walls.close();
    expect(stdout).toBe(said);
  });
});

describe.runIf(works())("the private home", { timeout: 2 * LONG_MS }, () => {
  test("holds the login and the sessions, and nothing else", async () => {
    const place = homeAndWorkspace();
    const { stdout } = await inside(
      place,
      'cd; find . -type f | sort; cat .agent/sessions/1; echo 2 > .agent/sessions/2; echo x > "$HOME/.profile"',
    );
    expect(stdout).toBe("./.agent/auth.json\n./.agent/sessions/1\n./.agent/settings.json\nsession");
    expect(readFileSync(join(place.home, ".agent/sessions/2"), "utf8")).toBe("2\n");
    expect(existsSync(join(place.home, ".profile"))).toBe(false);
  });

  test("a renewed login is copied back; settings, which can name programs, are not", async () => {
    const place = homeAndWorkspace();
    const { notes } = await inside(place, "cd ~/.agent; echo new > auth.new; mv auth.new auth.json; echo evil > settings.json");
    expect(notes).toEqual([]);
    expect(readFileSync(join(place.home, ".agent/auth.json"), "utf8")).toBe("new\n");
    expect(readFileSync(join(place.home, ".agent/settings.json"), "utf8")).toBe("settings");
  });

  test("unless the user's own has changed meanwhile: then the run says so", async () => {
    const place = homeAndWorkspace();
    const file = join(place.home, ".agent/auth.json");
    const { notes } = await inside(place, "echo new > ~/.agent/auth.json", () => writeFileSync(file, "newer"));
    expect(notes).toEqual([expect.stringContaining(file)]);
    expect(readFileSync(file, "utf8")).toBe("newer");
  });

  test.each([
    "ln -sf /etc/hostname ~/.agent/auth.json",
    "rm -r ~/.agent; ln -s /etc ~/.agent",
    "rm ~/.agent/auth.json",
    "mkfifo x && mv x ~/.agent/auth.json",
  ])("nothing else is copied back: %s", async (script) => {
    const place = homeAndWorkspace();
    await inside(place, script);
    expect(readFileSync(join(place.home, ".agent/auth.json"), "utf8")).toBe("old");
  });

  test("a variable that moves the login moves it inside, too", async () => {
    const place = homeAndWorkspace();
    const moved = join(place.base, "moved");
    mkdirSync(moved);
    writeFileSync(join(moved, "auth.json"), "moved");
    const { stdout } = await inside(place, 'cat "$AGENT_HOME/auth.json"; echo renewed > "$AGENT_HOME/auth.json"', undefined, {
      AGENT_HOME: moved,
    });
    expect(stdout).toBe("moved");
    expect(readFileSync(join(moved, "auth.json"), "utf8")).toBe("renewed\n");
  });
});

describe.runIf(works())("the workspace", { timeout: 2 * LONG_MS }, () => {
  test("a git worktree works, and the hooks and settings of its repository stay unchanged", async () => {
    const place = homeAndWorkspace();
    const main = join(place.base, "main");
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", "-C", main, ...args]);
    mkdirSync(main);
    git("init", "-q");
    writeFileSync(join(main, "file"), "1");
    git("add", ".");
    git("commit", "-qm", "one");
    const workspace = join(place.base, "tree");
    git("worktree", "add", "-q", workspace, "-b", "branch");
    const script = `export GIT_CONFIG_GLOBAL=/dev/null; git config user.name x; echo 2 > file; git -c user.name=a -c user.email=a@localhost commit -qam two && git log --format=%s
      echo evil > "${main}/.git/hooks/pre-commit"; ls "${main}"`;
    const { stdout } = await inside({ ...place, workspace }, script);
    expect(stdout).toBe("two\none\n");
    expect(git("log", "branch", "--format=%s").toString()).toBe("two\none\n");
    expect(existsSync(join(main, ".git/hooks/pre-commit"))).toBe(false);
  });

  test("is found through a link, at both of its paths", async () => {
    const place = homeAndWorkspace();
    const link = join(place.base, "link");
    symlinkSync(place.workspace, link);
    const { stdout } = await inside({ ...place, workspace: link }, `pwd; echo 1 > "${place.workspace}/made"; cat made`);
    expect(stdout).toBe(`${link}\n1\n`);
  });
});

function works(): boolean {
  try {
    return bubblewrap(process.env["PATH"]).version !== "";
  } catch {
    return false;
  }
}
