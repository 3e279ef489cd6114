import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const git = (cwd: string, ...args: string[]): void => {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd, stdio: "ignore", env: { PATH: process.env["PATH"] } });
};

/** What a repository can hold that runs a program or hides a file as soon as git reads it. */
export const malicious: Record<string, (ws: string, payload: string) => void> = {
  "core.fsmonitor": (ws, payload) => git(ws, "config", "core.fsmonitor", payload),
  "diff.external": (ws, payload) => git(ws, "config", "diff.external", payload),
  textconv: (ws, payload) => {
    git(ws, "config", "diff.evil.textconv", payload);
    writeFileSync(join(ws, ".gitattributes"), "* diff=evil\n");
  },
  "diff driver": (ws, payload) => {
    git(ws, "config", "diff.evil.command", payload);
    writeFileSync(join(ws, ".gitattributes"), "* diff=evil\n");
  },
  "filter clean and smudge": (ws, payload) => {
    for (const name of ["clean", "smudge", "process"]) git(ws, "config", `filter.evil.${name}`, payload);
    writeFileSync(join(ws, ".gitattributes"), "* filter=evil\n");
  },
  hooks: (ws, payload) => {
    for (const name of ["post-index-change", "pre-commit", "post-checkout", "reference-transaction"]) {
      writeFileSync(join(ws, ".git/hooks", name), `#!/bin/sh\n${payload}\n`, { mode: 0o755 });
    }
  },
  "nested repository": (ws, payload) => {
    mkdirSync(join(ws, "sub"));
    git(join(ws, "sub"), "init", "-q");
    git(join(ws, "sub"), "config", "core.fsmonitor", payload);
    writeFileSync(join(ws, "sub/inner.txt"), "inner\n");
  },
  "bare repository": (ws, payload) => {
    git(ws, "init", "-q", "--bare", "bare");
    git(join(ws, "bare"), "config", "core.fsmonitor", payload);
    git(join(ws, "bare"), "config", "core.worktree", ws);
  },
  submodule: (ws, payload) => {
    writeFileSync(join(ws, ".gitmodules"), `[submodule "x"]\n\tpath = sub\n\turl = ext::${payload}\n\tupdate = !${payload}\n`);
    mkdirSync(join(ws, "sub"));
    writeFileSync(join(ws, "sub/.git"), "gitdir: ../.git\n");
  },
  "empty nested .git": (ws) => mkdirSync(join(ws, "sub/.git"), { recursive: true }),
  "attributes that hide": (ws) => {
    writeFileSync(join(ws, ".gitattributes"), "* -diff -text export-ignore working-tree-encoding=UTF-16 ident\n");
    writeFileSync(join(ws, ".gitignore"), "*\n");
    writeFileSync(join(ws, ".git/info/exclude"), "*\n");
  },
};

/** A repository with one committed file and this trap. If the trap is triggered, the canary file appears. */
export function maliciousRepository(base: string, name: string): { readonly ws: string; readonly canary: string } {
  const ws = join(base, "ws");
  const canary = join(base, "canary");
  mkdirSync(ws);
  git(ws, "init", "-q");
  writeFileSync(join(ws, "file.txt"), "one\n");
  git(ws, "add", "file.txt");
  git(ws, "commit", "-qm", "one");
  const payload = join(base, "payload.sh");
  writeFileSync(payload, `#!/bin/sh\ntouch '${canary}'\ncat\n`, { mode: 0o755 });
  malicious[name]?.(ws, payload);
  return { ws, canary };
}
