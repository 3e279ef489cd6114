import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const PROGRAMS = "sh cat ls id sleep mkdir touch head grep setsid env mount umount unshare nsenter chroot /usr/bin/python3".split(" ");
/** Parts of Python's library that no test needs. */
const LEFT_OUT = /\/(?:test|tests|idlelib|lib2to3|ensurepip|distutils|pydoc_data|__pycache__|site-packages|dist-packages|config-[^/]*)$/;

/**
 * An image with a shell and Python, made of this machine's own programs because none can be downloaded. Undefined, with a line on the
 * console, if Podman is missing or starts no container here.
 */
export function testImage(): string | undefined {
  const name = `harness-test-${process.pid}`;
  const folder = mkdtempSync(join(tmpdir(), "harness-image-"));
  try {
    const root = join(folder, "root");
    for (const part of ["usr/bin", "usr/lib", "usr/lib64", "usr/sbin", "tmp", "etc", "proc", "dev", "sys", "root", "run", "var/tmp"])
      mkdirSync(join(root, part), { recursive: true });
    for (const link of ["bin", "lib", "lib64", "sbin"]) symlinkSync(`usr/${link}`, join(root, link));
    for (const program of PROGRAMS) copyProgram(program, root);
    const tar = join(folder, "root.tar");
    const steps = [
      ["tar", ["--create", "--file", tar, "--directory", root, "."]],
      ["podman", ["import", "--quiet", tar, name]],
      [
        "podman",
        ["run", "--rm", "--network=none", "--ulimit=nofile=1024:1024", "--ulimit=nproc=1000:1000", name, "/bin/sh", "-c", "exit 0"],
      ],
    ] as const;
    for (const [program, args] of steps) {
      const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8", timeout: 120_000 });
      if (status === 0) continue;
      console.warn(
        `No container is tested: ${program} ${args[0]} failed (${error?.message ?? stderr.trim()}). Install it: apt-get install podman runc`,
      );
      removeImage(name);
      return undefined;
    }
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function removeImage(name: string | undefined): void {
  if (name !== undefined) spawnSync("podman", ["rmi", "--force", name]);
}

function copyProgram(program: string, root: string): void {
  const path = spawnSync("/bin/sh", ["-c", `command -v ${program}`], { encoding: "utf8", env: { PATH: "/usr/bin:/usr/sbin:/bin:/sbin" } });
  const file = path.stdout.trim();
  if (file === "") return;
  copy(file, root);
  const { stdout } = spawnSync("ldd", [file], { encoding: "utf8" });
  for (const [library] of stdout.matchAll(/\/\S+(?= \(0x)/g)) copy(library, root);
  if (!program.endsWith("python3")) return;
  const version = /python3\.\d+/.exec(realpathSync(file))?.[0] ?? "";
  const modules = `/usr/lib/${version}`;
  if (!existsSync(modules)) return;
  cpSync(modules, join(root, modules), { recursive: true, dereference: true, filter: (from) => !LEFT_OUT.test(from) && existsSync(from) });
  const linked = spawnSync("sh", ["-c", `ldd ${modules}/lib-dynload/*.so | grep -o '/[^ ]*' | grep -v : | sort -u`], { encoding: "utf8" });
  for (const library of linked.stdout.split("\n").filter((line) => line.includes(".so"))) copy(library, root);
}

function copy(file: string, root: string): void {
  const inside = join(root, file);
  if (existsSync(inside)) return;
  mkdirSync(dirname(inside), { recursive: true });
  cpSync(file, inside, { dereference: true });
}
