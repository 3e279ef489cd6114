import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeWrappers } from "../../../src/work/observe/commands/make-wrappers.ts";
import { type WrappedCommand, wrapperLog } from "../../../src/work/observe/commands/wrapper-log.ts";
import { ALL_RECORDS } from "../../../src/work/observe/commands/wrapper-script.ts";
import { sample } from "../../support/full.ts";

/** The same scripts with and without wrappers print the same, end the same way and leave the same files. */

const folder = realpathSync(mkdtempSync(join(tmpdir(), "harness-wrappers-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Test programs on both PATHs: one that looks for itself again, a script without an interpreter, and an invalid one. */
const own = join(folder, "own");
mkdirSync(own);
mkdirSync(join(folder, "later"));
program(
  "shim",
  '#!/bin/sh\nIFS=:\nfor d in $PATH; do case $d in */own) ;; *) [ -x "$d/shim" ] && exec "$d/shim" "$@";; esac; done\nexit 9\n',
);
writeFileSync(join(folder, "later/shim"), '#!/bin/sh\necho "the real one: $*"\n', { mode: 0o755 });
program("plain", 'echo "plain $0 $*" | sed "s#.*/##"\n');
program("broken", "#!/no/such/interpreter\n");
program("tool.mjs", "#!/usr/bin/env node\nconsole.log(process.argv.slice(2), process.argv[1].endsWith('tool.mjs'));\n");
symlinkSync("tool.mjs", join(own, "tool"));
symlinkSync("/usr/bin/env", join(own, "multi"));

function program(name: string, text: string): void {
  writeFileSync(join(own, name), text);
  chmodSync(join(own, name), 0o755);
}

const NAMES =
  `sh bash cat ls node git python3 sleep env true false head tail yes grep sed sort xargs timeout nohup wc tr cp mv rm mkdir touch dd
  make printenv seq tee date uname shim plain broken tool multi kill`.split(/\s+/);
const PATH = [own, join(folder, "later"), process.env["PATH"] ?? ""].join(delimiter);
const wrappers = makeWrappers(join(folder, "wrappers"), NAMES, PATH);
const alias = join(folder, "alias");
symlinkSync(wrappers.bin, alias);
const closed = makeWrappers(join(folder, "closed"), NAMES, PATH);
rmSync(closed.log, { recursive: true });

const node = (script: string) => `node -e '${script.replaceAll("'", "'\\''")}'`;

const SCRIPTS: readonly (readonly [about: string, script: string, shell?: string])[] = [
  [
    "arguments with blanks, quotes, newlines, and empty ones",
    `node -e 'console.log(JSON.stringify(process.argv.slice(1)))' -- 'a b' "c'd" 'e"f' '' '*' '$x' 'two\nlines' -n --`,
  ],
  ["bytes that are not text", "printenv X | od -c; cat -- \"$(printf 'a\\377b')\"; echo $?"],
  ["binary standard input", "head -c 300000 /dev/urandom > r; cat < r > c; cmp r c; cat r | cat | cmp - r; rm r c"],
  [
    "shared standard input",
    "printf '1\\n2\\n3\\n' > f; { head -n1 >/dev/null; sed 's/^/rest /'; } < f; while read -r x; do echo $x; cat; done < f",
  ],
  ["here-documents", "cat <<A; sed s/x/y/ <<B\none\nA\nxyz\nB"],
  [
    "exit codes",
    `for c in 0 1 2 3 42 126 127 128 129 130 137 141 143 200 255; do sh -c "exit $c"; echo $?; ${node("process.exit(+process.argv[1])")} $c; echo $?; done`,
  ],
  [
    "death by a signal",
    'for s in HUP INT QUIT KILL PIPE ALRM TERM USR1 USR2 SEGV ABRT; do sh -c "ulimit -c 0; kill -$s \\$\\$"; echo $?; done 2>&1',
  ],
  [
    "death by a signal, as a parent sees it",
    node(
      "for (const s of ['exit 143', 'exit 137', 'kill -TERM $$', 'kill -KILL $$', 'kill -PIPE $$', 'kill -USR1 $$', 'exit 3']) { const r = require('child_process').spawnSync('sh', ['-c', s]); console.log(s, r.status, r.signal); }",
    ),
  ],
  ["the name it was called by", "sh -c 'echo $0' me; ls /nope; cat /nope; grep -q x /nope; python3 -c 'import sys; print(sys.executable)'"],
  ["missing programs", "nosuchprogram; echo $?; broken 2>/dev/null; echo $?; ./nofile; echo $?; touch t; ./t; echo $?", "bash"],
  ["a script without an interpreter", "plain a b; echo $?"],
  ["an interpreter behind a link", "tool 1 'two words'; tool.mjs x; multi A=1 printenv A; echo $?"],
  [
    "closed descriptors",
    "cat <&-; echo $?; ls / >&-; echo $?; ls /nope 2>&-; echo $?; sh -c 'echo out; echo err >&2' >&- 2>&-; echo $?",
    "bash",
  ],
  [
    "further descriptors",
    "exec 3>three 5<package 9>nine; sh -c 'echo 3 >&3; cat <&5; echo 9 >&9; ls /proc/self/fd | wc -l'; cat three nine",
  ],
  ["every small descriptor is in use", "exec 3>/dev/null 4>&3 5>&3 6>&3 7>&3 8>&3 9>&3; echo x | cat; sh -c 'exit 7'; echo $?"],
  [
    "a closed pipe",
    `yes | head -n 2; yes | head -n 1 >/dev/null; echo \${PIPESTATUS[*]}; seq 100000 | sed 5q | tail -n 1; set -o pipefail; yes | true; echo $?`,
    "bash",
  ],
  ["TERM for a job", "sleep 100 & kill $!; wait $!; echo $?; sleep 100 & kill -9 $!; wait $!; echo $?", "bash"],
  [
    "TERM for a job during its start",
    "for i in {1..40}; do sleep 60 & for ((k = 0; k < i * 40; k++)); do :; done; kill $!; wait $!; echo $?; done",
    "bash",
  ],
  [
    "TERM with a handler",
    `${node("process.on('SIGTERM', () => { console.log('bye'); process.exit(7); }); console.log('up'); setInterval(() => {}, 1000);")} > said & p=$!; until grep -qs up said; do sleep 0.02; done; kill $p; wait $p; echo $?; cat said`,
  ],
  [
    "INT and QUIT for a child",
    node(
      "const { spawn } = require('child_process'); const next = (list) => { const s = list.shift(); if (!s) return; const c = spawn('node', ['-e', 'console.log(1); setInterval(() => {}, 1000)']); c.stdout.once('data', () => c.kill(s)); c.on('close', (code, signal) => { console.log(code, signal); next(list); }); }; next(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']);",
    ),
  ],
  [
    "ignored signals stay ignored",
    "trap '' INT HUP; sh -c 'while read -r x; do case $x in SigIgn*) echo $x;; esac; done < /proc/self/status'; trap - INT HUP; python3 -c 'import signal; print(signal.getsignal(signal.SIGINT) == signal.default_int_handler)'",
  ],
  ["nohup", "nohup sh -c 'kill -HUP $$; echo alive' 2>/dev/null"],
  ["time limits", "timeout 0.3 sleep 10; echo $?; timeout -s KILL 0.3 sleep 10; echo $?; timeout 5 true; echo $?", "bash"],
  ["jobs", 'for i in 1 2 3 4 5 6 7 8; do sh -c "sleep 0.0$i; echo $i > job$i" & done; wait; cat job?'],
  ["job control", "set -m; sleep 0.1 & wait; echo $?; (sleep 0.05; echo in) & fg >/dev/null; echo $?", "bash"],
  ["nested", 'sh -c \'sh -c "sh -c \\"sh -c \\\\\\"echo deep; exit 5\\\\\\"\\""\'; echo $?; env env env env true; echo $?'],
  [
    "nested more deeply than the limit",
    'n() { if [ $1 = 0 ]; then echo bottom; exit 4; fi; sh -c "$2" sh $(($1-1)) "$2"; }; x=\'if [ $1 = 0 ]; then echo bottom; exit 4; fi; exec sh -c "$2" sh $(($1-1)) "$2"\'; sh -c "$x" sh 60 "$x"; echo $?',
  ],
  ["a program that looks for itself", "shim a b; echo $?"],
  ["by a second name of the directory", `PATH=${alias}:$PATH; sh -c 'exit 6'; echo $?; cat /nope; echo $?`],
  ["without an environment", "env -i /bin/sh -c 'echo $HOME; exit 2'; echo $?; env -i PATH=\"$PATH\" sh -c 'cat /dev/null; echo ok'"],
  [
    "the environment",
    "export n=1 b=2 l=3 P=4 r=5 d=6 i=7 a=8 u=9 c=10 k=11 s=12 e=13 z=14 v=15; printenv | grep -vE '^(PATH|BASH_ENV|HARNESS_WRAPPED|_|SHLVL)=' | sort; env X='a b' 'Y=ü' sh -c 'echo $X $Y'; for l in '' C C.UTF-8; do LC_ALL=$l python3 -c 'import os; print(os.environ.get(\"LC_ALL\"))'; done; unset LC_ALL; node -p 'process.env.LC_ALL'",
  ],
  [
    "the current directory",
    "mkdir -p d/e; ln -s d l; cd l/e; sh -c pwd; pwd; python3 -c 'import os; print(os.environ[\"PWD\"])'; cd ../..; rm -r d l",
  ],
  ["masks and limits", "umask 027; touch m; ls -l m | cut -c1-10; (ulimit -n 100; sh -c 'ulimit -n')"],
  ["exec", "(exec sh -c 'exit 8'); echo $?; sh -c 'exec ls /nope'; echo $?"],
  ["many arguments", "seq 3000 | xargs node -e 'console.log(process.argv.length)'; seq 300 | xargs -n 50 sh -c 'echo $#' sh"],
  [
    "a long argument",
    `${node("const r = require('child_process').spawnSync('cat', ['x'.repeat(120000)]); console.log(r.status, String(r.stderr).length)")}`,
  ],
  ["substitutions", "x=$(sh -c 'echo a; exit 3'); echo $x $?; diff <(ls /) <(ls /) && echo same; cat <(echo in)", "bash"],
  [
    "git",
    "git init -q r 2>&1; cd r; git -c user.name=a -c user.email=b commit -q --allow-empty -m x; git log --format=%s; git nonsense; echo $?; git status --short; cd ..; rm -r r",
  ],
  ["make", "printf 'all:\\n\\t@echo $(MAKE)\\n\\t$(MAKE) sub\\nsub:\\n\\techo in\\n\\tfalse\\n' > Makefile; make; echo $?"],
  [
    "login shells, and scripts that read BASH_ENV",
    `printf 'PATH=$(bash -c "echo \\$PATH"); PATH=$HOME:$PATH; export FROM=profile\n' > .bash_profile; printf '#!/bin/bash\ncat /nope; echo $? $_ $# $FROM $LINENO\n' > s; chmod +x s;
    bash -lc 'cat /nope; echo $? $FROM; ./s 1 2; sh -c "exit 4"'; echo $?; bash -eulc 'exit 5'; echo $?; bash -xc 'true "a b"' 2>&1; ./s; bash -o posix -c 'true; echo $?'`,
  ],
  ["output in order", "for i in 1 2 3; do sh -c 'echo o$0; echo e$0 >&2' $i; done 2>&1"],
];

interface Ran {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly files: Readonly<Record<string, string>>;
}

let count = 0;

function run(script: string, shell: string, path: string, bashEnv?: string): Ran {
  const cwd = join(folder, `work-${++count}`);
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package"), "contents\n");
  const env = { PATH: path, HOME: cwd, LANG: "C.UTF-8", X: "a\u00ffb", ...(bashEnv !== undefined && { BASH_ENV: bashEnv }) };
  // Into files: a leftover process that holds a pipe would make us wait.
  const outputs = ["stdout", "stderr"].map((name) => join(folder, `${name}-${count}`));
  const [out = 0, err = 0] = outputs.map((path) => openSync(path, "w"));
  const { status, signal } = spawnSync(`/bin/${shell}`, ["-c", script], { cwd, env, timeout: 60_000, stdio: ["ignore", out, err] });
  for (const fd of [out, err]) closeSync(fd);
  const [stdout = "", stderr = ""] = outputs.map((path) => readFileSync(path, "latin1"));
  const plain = (text: string) =>
    text.replaceAll(cwd, "<here>").replace(/\b\d{3,} (?=Killed|Terminated|Segm|Abort|Hang|Quit|User|Alarm)/g, "");
  const files = Object.fromEntries(
    readdirSync(cwd)
      .sort()
      .map((name) => [name, statSync(join(cwd, name)).isFile() ? readFileSync(join(cwd, name), "latin1") : "a directory"]),
  );
  rmSync(cwd, { recursive: true });
  return { status, signal, stdout: plain(stdout), stderr: plain(stderr), files };
}

describe("with and without wrappers", () => {
  test.each(sample(SCRIPTS, 14).map(([about, script, shell]) => ({ about, script, shell: shell ?? "sh" })))(
    "$about",
    { timeout: 300_000 },
    ({ script, shell }) => {
      const bare = run(script, shell, PATH);
      expect(bare.signal).toBe(null);
      expect(run(script, shell, `${wrappers.bin}${delimiter}${PATH}`, wrappers.bashEnv)).toEqual(bare);
    },
  );

  test("if nothing can be written", { timeout: 300_000 }, () => {
    for (const [, script, shell = "sh"] of SCRIPTS.slice(0, 12)) {
      expect(run(script, shell, `${closed.bin}${delimiter}${PATH}`)).toEqual(run(script, shell, PATH));
    }
  });

  test("wrappers of wrappers", { timeout: 300_000 }, () => {
    const path = `${wrappers.bin}${delimiter}${PATH}`;
    const outer = makeWrappers(join(folder, "outer"), NAMES, path);
    for (const [, script, shell = "sh"] of SCRIPTS.slice(0, 12))
      expect(run(script, shell, `${outer.bin}${delimiter}${path}`)).toEqual(run(script, shell, PATH));
  });
});

describe("the records", () => {
  function recorded(script: string, theirs?: string): { commands: readonly WrappedCommand[]; stdout: string } {
    const made = makeWrappers(mkdtempSync(join(folder, "recorded-")), NAMES, PATH, theirs);
    const log = wrapperLog(made.log);
    const env = { PATH: `${made.bin}${delimiter}${PATH}`, BASH_ENV: made.bashEnv, HOME: folder };
    // Not a socket, which a Node pipe is: bash takes it for a network call and reads ~/.bashrc instead.
    const stdio = ["ignore", "pipe", "ignore"] as const;
    const { stdout } = spawnSync("/bin/sh", ["-c", script], { cwd: folder, env, timeout: 60_000, stdio: [...stdio], encoding: "utf8" });
    log.poll();
    expect(log.tampering().size).toBe(0);
    return { commands: log.commands(), stdout };
  }

  test("commands of a login shell, whatever its files do to the PATH", { timeout: 60_000 }, () => {
    const others = join(folder, "others");
    mkdirSync(others);
    writeFileSync(join(others, "cat"), "#!/bin/sh\necho another cat\n", { mode: 0o755 });
    // Like `pyenv init`: the login files run bash and adopt its PATH.
    writeFileSync(join(folder, ".bash_profile"), `PATH=$(/bin/bash -c 'echo "$PATH"'); PATH=${others}:$PATH\n`);
    writeFileSync(join(folder, "script"), "#!/bin/bash\ncat\n", { mode: 0o755 });
    const { commands, stdout } = recorded(
      `/bin/bash -lc 'cat; ./script; git --version; exit 3'; PATH=${others}:$PATH; ./script; PATH=/usr/bin:/bin; /bin/bash -c "sh -c 'exit 6'"`,
    );
    expect(stdout).toMatch(/^another cat\nanother cat\ngit version .*\nanother cat\n$/);
    expect(commands.map(({ name, end }) => [name, end?.exitCode])).toEqual([
      ["cat", 0],
      ["cat", 0],
      ["git", 0],
      ["sh", 6],
    ]);
  });

  test("the original BASH_ENV is read as bash would", { timeout: 60_000 }, () => {
    writeFileSync(join(folder, "their env"), 'said="theirs $BASH_SOURCE"; PATH=/usr/bin:/bin\n');
    for (const theirs of ["$HOME/their env", "~/their env", "their env"]) {
      const { commands, stdout } = recorded(`/bin/bash -c 'echo "$said"; sh -c "exit 4"'`, theirs);
      expect(stdout).toMatch(/^theirs .*their env\n$/);
      expect(commands.map(({ name, end }) => [name, end?.exitCode])).toEqual([["sh", 4]]);
    }
    expect(recorded("/bin/bash -euc 'sh -c \"exit 4\"'", "/no/such/file").commands.length).toBe(1);
  });

  test("arguments, directory, time, end, and parent", { timeout: 60_000 }, () => {
    const { commands } = recorded(`sh -c 'cat /nope "x y"; exit 3'; sh -c 'kill -TERM $$'; node -e 'process.exit(143)'`);
    const [outer, inner, killed, exited] = commands;
    expect(outer).toMatchObject({ name: "sh", args: ["-c", 'cat /nope "x y"; exit 3'], cwd: folder, end: { exitCode: 3, signal: null } });
    expect(inner).toMatchObject({ name: "cat", args: ["/nope", "x y"], parent: outer?.id, end: { exitCode: 1, signal: null } });
    expect(killed?.end).toEqual({ exitCode: null, signal: "SIGTERM" });
    expect(exited?.end).toEqual({ exitCode: 143, signal: null });
    for (const { startedAt, endedAt, pid } of commands) {
      expect(pid).toBeGreaterThan(1);
      expect(Math.abs(Date.now() - startedAt)).toBeLessThan(60_000);
      expect(endedAt).toBeGreaterThanOrEqual(startedAt);
    }
  });

  test("hostile arguments are bounded and come back unchanged", { timeout: 60_000 }, () => {
    const { commands } = recorded(
      `env true "$(printf 'a\\377\\nb')" ''; env true $(seq 20000); env true "$(head -c 100000 /dev/zero | tr '\\0' x)"`,
    );
    const [odd, many, long] = commands.filter(({ name }) => name === "true");
    expect(odd?.args).toEqual(["a\udcff\nb", ""]);
    expect(many).toMatchObject({ argc: 20_000 });
    expect(many?.args.length).toBe(64);
    expect(long?.args).toEqual(["x".repeat(1024)]);
  });

  test("a hundred in parallel, none torn", { timeout: 60_000 }, () => {
    const { commands } = recorded('for i in $(seq 100); do env true "$i" & done; wait');
    const words = commands.filter(({ name }) => name === "true").map(({ args }) => Number(args[0]));
    expect(words.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(commands.every(({ end }) => end?.exitCode === 0)).toBe(true);
  });

  test("a program that finds its own wrapper again stops", { timeout: 60_000 }, () => {
    const twice = [own, PATH].join(delimiter);
    program("forever", '#!/bin/sh\nexec forever "$@"\n');
    const made = makeWrappers(join(folder, "forever"), ["forever"], twice);
    program("forever", `#!/bin/sh\ncase :$PATH: in *:${made.bin}:*) exec forever "$@";; esac\necho out\nexit 5\n`);
    const { status, stdout } = spawnSync("/bin/sh", ["-c", "forever"], {
      env: { PATH: `${made.bin}${delimiter}${twice}` },
      timeout: 50_000,
    });
    expect({ status, stdout: String(stdout) }).toEqual({ status: 5, stdout: "out\n" });
  });

  test("tampering with the records is noticed", { timeout: 60_000 }, () => {
    const made = makeWrappers(join(folder, "tampered"), NAMES, PATH);
    const log = wrapperLog(made.log);
    const env = { PATH: `${made.bin}${delimiter}${PATH}` };
    spawnSync("/bin/sh", ["-c", "env true one; env true two; env true three"], { env });
    log.poll();
    expect(log.commands().length).toBe(6);
    expect(log.tampering().size).toBe(0);
    const all = join(made.log, ALL_RECORDS);
    const before = readFileSync(all);
    const last = before.lastIndexOf("\0\nE\0") + 1;

    // Foreign data, a truncated record, one without a beginning, and one with a link in place of its file.
    symlinkSync("/etc/passwd", join(made.log, "9-1.00.more"));
    appendFileSync(all, "forged\n");
    appendFileSync(all, `\0${before.toString("latin1", last, last + 9)}`);
    appendFileSync(all, "\0\nE\x008-1.00\x001.00\x009\x000\0\0");
    appendFileSync(all, "\nS\x009-1.00\x001.00\0cat\x007\0\x001\0-\0");
    log.poll();
    expect(log.commands().length).toBe(6);
    expect(Object.fromEntries(log.tampering())).toEqual({ "record-malformed": 4 });

    spawnSync("/bin/sh", ["-c", "env true four"], { env });
    log.poll();
    expect(log.commands().slice(6)).toMatchObject([{ name: "env" }, { name: "true", args: ["four"], end: { exitCode: 0 } }]);
    truncateSync(all, 10);
    log.poll();
    expect(log.tampering().get("record-removed")).toBe(1);
    rmSync(all);
    log.poll();
    writeFileSync(all, "");
    log.poll();
    expect(log.tampering().get("log-removed")).toBe(1);
    expect(log.commands().length).toBe(8);
  });

  test("records changed later", { timeout: 60_000 }, () => {
    const made = makeWrappers(join(folder, "rewritten"), NAMES, PATH);
    const log = wrapperLog(made.log);
    spawnSync("/bin/sh", ["-c", "env true one"], { env: { PATH: `${made.bin}${delimiter}${PATH}` } });
    log.poll();
    const all = join(made.log, ALL_RECORDS);
    writeFileSync(all, readFileSync(all, "latin1").replace("one", "two"), "latin1");
    log.poll();
    expect(Object.fromEntries(log.tampering())).toEqual({ "record-touched": 1 });
    expect(log.commands()[0]?.args).toEqual(["true", "one"]);
  });

  test("a program is ended when its wrapper was killed", { timeout: 60_000 }, async () => {
    const made = makeWrappers(join(folder, "killed"), NAMES, PATH);
    const log = wrapperLog(made.log);
    const script = `sh -c 'echo $$ > "$1/pid"; exec /bin/sleep 300' sh "$1" >/dev/null 2>&1 & p=$!
      until [ -s "$1/pid" ]; do :; done; kill -9 $p; wait $p; echo $?`;
    const env = { PATH: `${made.bin}${delimiter}${PATH}` };
    const { stdout } = spawnSync("/bin/bash", ["-c", script, "bash", made.log], { env, stdio: ["ignore", "pipe", "ignore"] });
    expect(String(stdout)).toBe("137\n");
    const pid = readFileSync(join(made.log, "pid"), "latin1").trim();
    await expect
      .poll(
        () => {
          log.poll();
          return spawnSync("/bin/kill", ["-0", pid]).status;
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(log.commands().map(({ name, end }) => [name, end])).toEqual([["sh", undefined]]);
  });

  test("all of the PATH", { timeout: 60_000 }, () => {
    const made = makeWrappers(join(folder, "all"), ["all"], PATH);
    expect(made.names.length).toBeGreaterThan(100);
    expect(made.names).toEqual(expect.arrayContaining(["sh", "cat", "shim"]));
    expect(makeWrappers(join(folder, "some"), ["cat", "no-such-program"], PATH)).toMatchObject({
      names: ["cat"],
      missing: ["no-such-program"],
    });
  });
});
