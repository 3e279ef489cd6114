import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { permissionDesk } from "../../../src/work/native/permissions.ts";
import { levelPermissions } from "../../../src/work/native/program/level-permissions.ts";
import { folder } from "./support.ts";

const deny = [{ tool: "shell", params: { command: "rm *" }, reason: "No." }];

describe("K3: a denied program is denied however it is started", () => {
  const root = folder();
  const desks = {
    library: permissionDesk({ allowlist: ["*"], deny, root }),
    run: permissionDesk({ ...levelPermissions("full", [], ["rm *"]), root }),
  };

  test.each([
    "if true; then rm x; fi",
    "/bin/rm x",
    "{ rm x; }",
    "! rm x",
    "sudo rm x",
    "env rm x",
    "env A=1 -u B rm x",
    "time rm x",
    "command rm x",
    "bash -c 'rm x'",
    'sh -c "rm x"',
    "(rm x)",
    "echo $(rm x)",
    "echo `rm x`",
    "cat <(rm x)",
    "while true; do rm x; break; done",
    "for a in 1; do rm x; done",
    "case a in a) rm x;; esac",
    "f() { rm x; }; f",
    "true && rm x || true",
    "echo x | xargs rm",
    "find . -name x -exec rm {} +",
    "nohup nice -n 5 rm x &",
    "timeout 5 rm x",
    "eval 'rm x'",
    "A=rm; $A x",
    "r''m x",
    "\\rm x",
    '"rm" x',
    "exec rm x",
    "trap 'rm x' EXIT",
    "coproc rm x",
    "[[ $(rm x) ]]",
    "echo $" + "{A:-$(rm x)}",
    "cat <<EOF\n$(rm x)\nEOF",
    "bash <<'EOF'\nrm x\nEOF",
    "../../../../../../bin/rm x",
    "stdbuf -o0 setsid rm x",
  ])("%s", (command) => {
    for (const [name, desk] of Object.entries(desks)) expect(desk.decide("shell", { command }).decision, name).not.toBe("allow");
  });

  test.each(["ls", "echo 'rm x'", "grep 'rm ' f", "git log", "npm run rmdir", "rmdir x"])("but not: %s", (command) => {
    expect(desks.library.decide("shell", { command }).decision).toBe("allow");
  });
});

/** How to start a program, with the place of the command marked by `@`. */
const WAYS = [
  "@",
  "@; true",
  "true && @",
  "false || @",
  "{ @; }",
  "(@)",
  "! @",
  "if true; then @; fi",
  "if @; then :; fi",
  "while @; do break; done",
  "for i in 1; do @; done",
  "case x in x) @ ;; esac",
  "f() { @; }; f",
  'echo "$(@)"',
  "echo `@`",
  "cat <(@)",
  "echo | @",
  "@ | cat",
  "@ > out",
  "> out @",
  "A=1 @",
  "env @",
  "env A=1 @",
  'env -i PATH="$PATH" @',
  "command @",
  "exec @",
  "time @",
  "nohup @",
  "nice @",
  "timeout 5 @",
  "setsid -w @",
  "stdbuf -o0 @",
  "xargs -n1 @ <<< y",
  "echo y | xargs -I{} @",
  "find . -maxdepth 0 -exec @ \\;",
  "bash -c '@'",
  "sh -c '@'",
  "eval '@'",
  "trap '@' EXIT",
  "bash <<'E'\n@\nE",
  "cat <<E\n$(@)\nE",
  "echo '@' | sh",
  "echo '@'",
  "printf %s '@' > script; sh script",
  "x='@'; $x",
  "x='@'; bash -c \"$x\"",
  "alias q='@'; q",
  'ln -sf "$(command -v victim)" q; ./q',
  'cp "$(command -v victim)" q2; ./q2',
  "python3 -c 'import os; os.system(\"@\")'",
  "grep '@' out; true",
  "true # @",
  "[[ -n $(@) ]]",
  "echo $" + "{none:-$(@)}",
  "(( $(@; echo 1) ))",
  "source <(echo '@')",
  "git -c alias.q='!@' q",
  "awk 'BEGIN { system(\"@\") }'",
  "make -f <(printf 'a:\\n\\t@@')",
  "builtin eval '@'",
];
/** Spellings of the program itself. */
const NAMES = [
  "victim x",
  "BIN/victim x",
  "vic''tim x",
  "\\victim x",
  '"victim" x',
  "vict?m x",
  "BIN/vict?m x",
  "$(echo victim) x",
  "$" + "{V-victim} x",
  "./link x",
  "BIN/../bin/victim x",
];

const strace = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

describe.runIf(strace)("K3: strace sees no denied program in a command that was allowed", () => {
  const above = folder();
  const bin = join(above, "bin");
  const root = join(above, "root");
  mkdirSync(bin);
  mkdirSync(root);
  const victim = join(bin, "victim");
  copyFileSync(realpathSync("/bin/true"), victim);
  chmodSync(victim, 0o755);
  symlinkSync(victim, join(root, "link"));
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: root };
  const desk = permissionDesk({ allowlist: ["*"], deny: [{ tool: "shell", params: { command: "victim" } }], root });

  /** Every file that the command executes. */
  function executed(command: string): readonly string[] {
    const log = join(above, "trace");
    rmSync(log, { force: true });
    for (const name of ["q", "q2", "script", "out"]) rmSync(join(root, name), { force: true });
    const args = ["-f", "-qq", "-y", "-e", "trace=execve,execveat", "-e", "signal=none", "-o", log, "bash", "-c", command];
    spawnSync("strace", args, { cwd: root, env, timeout: 20_000, stdio: ["ignore", "ignore", "ignore"] });
    const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
    return lines.filter((line) => line.endsWith(" = 0")).map((line) => /"((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? line);
  }

  const isVictim = (path: string) => /(?:^|\/)(?:victim|link|q2?)$/.test(path);
  const judged = (command: string) => desk.decide("shell", { command }).decision;

  test("the oracle sees it", () => {
    for (const command of ["victim x", "./link x", "bash -c 'if true; then victim x; fi'"])
      expect(executed(command).some(isVictim), command).toBe(true);
    expect(executed("echo victim").some(isVictim)).toBe(false);
  });

  test("random nesting of shell constructs", () => {
    writeFileSync(join(root, "out"), "");
    let [allowed, refused] = [0, 0];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WAYS), { minLength: 1, maxLength: 3 }), fc.constantFrom(...NAMES), (ways, name) => {
        const quoted = name.replaceAll("BIN", bin);
        const command = ways.reduceRight((inner, way) => way.replaceAll("@", () => inner), quoted);
        if (judged(command) !== "allow") {
          refused++;
          return;
        }
        allowed++;
        expect(executed(command).filter(isVictim), command).toEqual([]);
      }),
      { numRuns: 1500 },
    );
    expect(allowed).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(200);
  }, 120_000);
});
