// A place of its own for every run: a home, the XDG folders, a temporary folder, and a git repository to work in.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export function sandbox(files) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-conformance-")));
  const place = (name) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const [home, workspace, data, tmp] = ["home", "workspace", "data", "tmp"].map(place);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), content);
  }
  git(workspace, "init", "--quiet", "--initial-branch=main");
  git(workspace, "add", ".");
  git(workspace, "commit", "--quiet", "--message=Begin");
  const environment = {
    PATH: process.env.PATH,
    LANG: "C.UTF-8",
    TERM: "dumb",
    HOME: home,
    TMPDIR: tmp,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_DATA_HOME: data,
  };
  return { folder, home, workspace, data, environment, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

function git(workspace, ...args) {
  const identity = ["-c", "user.name=conformance", "-c", "user.email=conformance@localhost", "-c", "commit.gpgsign=false"];
  execFileSync("git", ["-C", workspace, ...identity, ...args], { stdio: ["ignore", "ignore", "inherit"] });
}
