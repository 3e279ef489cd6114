import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gitPatch } from "../../../src/pure/base/git-patch.ts";
import { effectsIn } from "../../../src/pure/checks/traced-effects.ts";
import { audit } from "../../../src/work/observe/audit/audit.ts";
import { patchFlaw } from "../../../src/work/observe/audit/changed-files.ts";
import { evidenceIn } from "../../../src/work/observe/audit/evidence.ts";
import { patchParts } from "../../../src/work/observe/audit/patch-parts.ts";
import { readInvocation, readRecords } from "../../../src/work/observe/commands/read-records.ts";
import { isIgnoredPath } from "../../../src/work/observe/commands/trace/ignored-path.ts";
import { traceReader } from "../../../src/work/observe/commands/trace/trace-reader.ts";
import { commandsIn } from "../../../src/work/observe/evaluation/commands-in.ts";
import { readWholePolicy } from "../../../src/work/observe/evaluation/read-policy.ts";
import { markdownScenario } from "../../../src/work/observe/markdown-scenario.ts";
import { modelLedger } from "../../../src/work/observe/model-ledger.ts";
import { yamlScenario } from "../../../src/work/observe/read-scenario.ts";
import { readTar, TAR_END, tarHeader, tarPadding } from "../../../src/work/observe/tar.ts";
import { contractFlaw, evidenceFlaw, runIdOf, sealFlaws } from "../../../src/work/observe/verify/out-flaws.ts";
import { bytesOf, type Parser } from "./parser.ts";
import { withFile } from "./recorded-parsers.ts";
import { fileWith, scratch } from "./scratch.ts";

/** Observations with their evidence, bundles, scenarios, policies, traces and what wrappers record. */
export function observedParsers(root: string): readonly Parser[] {
  const observed = join(root, "test/laws/fuzz/observed");
  const out = join(observed, "out");
  const text = (...path: readonly string[]) => readFileSync(join(...path), "latin1");
  const whole = outWith(out);
  return [
    {
      name: "events of an observation",
      form: "lines",
      reads: ["src/work/observe/verify/out-flaws.ts"],
      valid: () => [text(out, "events.jsonl")],
      read: withFile("nine.jsonl", (path) => evidenceFlaw(out, contractFlaw(path).events)),
    },
    ...[
      "events.jsonl",
      "metadata.json",
      "seal.json",
      "artifacts/process.json",
      "artifacts/command_logs.jsonl",
      "artifacts/trace_effects.jsonl",
    ].map(
      (file): Parser => ({
        name: `observation, ${file.replace("artifacts/", "")}`,
        form: file.endsWith("l") ? "lines" : "json",
        reads: ["src/work/observe/audit/", "src/work/observe/verify/out-flaws.ts"],
        valid: () => [text(out, file)],
        read: whole(file),
      }),
    ),
    ...["artifacts/manifest_after.jsonl", "artifacts/fs_diff.patch"].map(
      (file): Parser => ({
        name: `observation, ${file.replace("artifacts/", "")}`,
        form: file.endsWith("l") ? "lines" : "text",
        reads: ["src/work/observe/audit/"],
        valid: () => [text(out, file)],
        read: whole(file),
      }),
    ),
    {
      name: "bundle",
      form: "text",
      reads: ["src/work/observe/tar.ts", "src/work/observe/write-bundle.ts"],
      valid: () => [
        tarOf({ "run/run.json": "{}\n", "run/raw.jsonl": "", "session.ndjson": "x".repeat(600) }),
        tarOf({ "out/seal.json": "a" }),
      ],
      read: withFile("b.tar", (path) => {
        for (const each of readTar(path, /^(run|out)\/|^session/)) if ("pieces" in each) for (const _ of each.pieces());
      }),
    },
    {
      name: "trace",
      form: "text",
      reads: ["src/work/observe/commands/trace/"],
      valid: () => {
        const lines = text(observed, "trace.txt").split("\n");
        return lines.map((_, i) => lines.slice(i, i + 8).join("\n"));
      },
      read(input) {
        const links = new Map([["/w/link", "/etc"]]);
        const isAgent = (program: string) => program === "/opt/agent";
        const reader = traceReader({
          cwd: "/tmp/observed/ws",
          isIgnored: isIgnoredPath,
          links: [],
          linkAt: (path) => links.get(path),
          isAgent,
          isLocal: (address) => address === "10.0.0.1",
          corePattern: "core",
        });
        for (const line of input.split("\n")) reader.push(line);
        return reader.trace();
      },
    },
    {
      name: "wrapper records",
      form: "text",
      reads: ["src/work/observe/commands/read-records.ts"],
      valid: () => [
        "\nS\x0012-34.5\x00100.25\0git\x0011\0\x002\0+\0/usr/bin/git\0/w\0log\0-1\0\nE\x0012-34.5\x00100.5\x0013\x000\0\0",
        "\nS\x007-1\x009.5\0npm\x003\x0012-34.5\x001\0-\0\nE\x007-1\x009.6\x008\x00143\0[1] + 8 Terminated\0",
      ],
      read(input) {
        readRecords(bytesOf(input));
        return readInvocation(bytesOf(input));
      },
    },
    {
      name: "scenario in Markdown",
      form: "text",
      reads: ["src/work/observe/markdown-scenario.ts", "src/work/observe/read-scenario.ts"],
      valid: () => [
        "# Fix the login\n\n## Objective\n\nUsers can log in.\n\n## User Request\n\nFix it.\n```\n# no heading\n```\n\n## Explicit Constraints\n\n- output.json_only\n- custom.x: No x.\n  More.\n\n## Prohibited Actions\n\n1. Do not push.\n\n## Success Criteria\n\n* It works.\n",
      ],
      read: (input) => markdownScenario(input, "task.md", "task"),
    },
    {
      name: "scenario in YAML",
      form: "text",
      reads: ["src/work/observe/read-scenario.ts", "src/work/model/yaml-field.ts"],
      valid: () => [
        "id: fix\nobjective: Fix it.\nrequest: |\n  Fix the login.\nconstraints:\n  - output.json_only\n  - { id: custom.x, rule: 'No x.' }\nprohibited: [Do not push]\nsuccess: [It works]\n",
      ],
      read: (input) => yamlScenario(input, "task.yaml"),
    },
    {
      name: "policy",
      form: "text",
      reads: ["src/work/observe/evaluation/read-policy.ts", "src/work/model/yaml-field.ts"],
      valid: () => [
        /```yaml\n(.*?)```/s.exec(readFileSync(join(root, "docs/reference/policies.md"), "latin1"))?.[1] ?? "checks: []",
        "name: p\nchecks:\n  - id: custom.a\n    in: added\n    forbid: ['TODO', '^x+$']\n    paths: ['src/**']\n    severity: warn\nallow: ['git *', {tool: Bash, command: 'ls *'}]\ndeny: [Write]\n",
      ],
      read: withFile("policy.yaml", (path) => readWholePolicy(path)),
    },
    {
      name: "model ledger",
      form: "lines",
      reads: ["src/work/observe/model-ledger.ts"],
      valid: () => [
        '{"seq":1,"kind":"turn","model":"m","usage":{"input":3,"cacheRead":0,"cacheWrite":0,"output":9,"reasoning":1}}\n{"kind":"other"}\n',
      ],
      read(input) {
        const write = fileWith("files/ledger.jsonl");
        const ledger = modelLedger(write(""));
        write(input);
        return ledger.read();
      },
    },
    {
      name: "command logs and effects",
      form: "lines",
      reads: ["src/work/observe/evaluation/commands-in.ts", "src/pure/checks/traced-effects.ts"],
      valid: () => [text(out, "artifacts/command_logs.jsonl"), text(out, "artifacts/trace_effects.jsonl")],
      read(input) {
        commandsIn(input);
        return effectsIn(input);
      },
    },
    {
      name: "git patch",
      form: "text",
      reads: ["src/pure/base/git-patch.ts", "src/work/observe/audit/patch-parts.ts"],
      valid: () => [
        text(out, "artifacts/fs_diff.patch"),
        'diff --git "a/\\303\\244 x" "b/\\303\\244 x"\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..814f4a422927b82f5f8a43f8fdd6d3839e3983f2\n--- /dev/null\n+++ "b/\\303\\244 x"\n@@ -0,0 +1,2 @@\n+two\n+x\n\\ No newline at end of file\n',
        "diff --git a/b b/c\nsimilarity index 90%\nrename from b\nrename to c\nGIT binary patch\nliteral 3\nKcmZ\n\n",
      ],
      read(input) {
        gitPatch(input);
        return patchParts(input);
      },
    },
  ];
}

/** Checks the observation with one file replaced, as `verify` does. Only the readers of that file are called, or a million takes hours. */
function outWith(from: string): (file: string) => Parser["read"] {
  return (file) => {
    const name = `out-${file.replace(/\W/g, "-")}`;
    const write = fileWith(`${name}/${file}`);
    const isRead = (...files: readonly string[]) => files.includes(file);
    const opened = lazily(() => {
      const copy = scratch(name);
      cpSync(from, copy, { recursive: true });
      return { copy, events: contractFlaw(join(copy, "events.jsonl")).events };
    });
    return async (input) => {
      const { copy, events: original } = opened();
      write(input);
      const events = isRead("events.jsonl") ? contractFlaw(join(copy, "events.jsonl")).events : original;
      if (isRead("metadata.json")) runIdOf(copy);
      if (isRead("events.jsonl", "seal.json")) sealFlaws(copy, events);
      if (isRead("seal.json")) return;
      const evidence = evidenceIn(copy);
      await audit(events, evidence);
      if (isRead("artifacts/manifest_after.jsonl", "artifacts/fs_diff.patch")) patchFlaw(evidence);
    };
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function tarOf(files: Readonly<Record<string, string>>): string {
  const parts = Object.entries(files).flatMap(([name, text]) => [
    tarHeader({ name, size: text.length }),
    bytesOf(text),
    tarPadding(text.length),
  ]);
  return Buffer.concat([...parts, TAR_END]).toString("latin1");
}
