import { bytes, duration, printable } from "../../src/pure/base/index.ts";
import { Changes, Checks, Commands, Effects, Findings, useEvidence } from "../evidence/index.ts";
import { Failure, Notice } from "../parts/index.ts";
import { exported } from "../source/index.ts";
import type { Panel, PanelProps } from "./panel.ts";

export const evidencePanel: Panel = { id: "evidence", title: "Evidence", Component: EvidencePanel };

function EvidencePanel({ run, source, state }: PanelProps) {
  const { evidence, error } = useEvidence(source, state);
  if (error !== undefined && evidence === undefined) return <Failure error={error} />;
  if (evidence === undefined) return <p class="waiting">Reading the observations …</p>;
  const [observation] = evidence.of("observation");
  if (observation === undefined) {
    return (
      <Notice title="This run was not observed" code={'harness observe --agent claude --workspace . --wrap all --prompt "…"'}>
        Only the agent's own output is known. An observed run also has evidence from outside: files, commands and checks:
      </Notice>
    );
  }
  const changed = evidence.of("files-changed").findLast(({ turn }) => turn === undefined);
  const process = evidence.of("process-observed").at(-1);
  const [workspace] = evidence.of("workspace-prepared");
  const watched = evidence.of("commands-observed").at(-1);
  const evaluation = evidence.of("evaluation").at(-1);
  const { userMs = null, systemMs = null, maxRssBytes = null } = process?.resources ?? {};
  const facts: readonly (readonly [string, string])[] = [
    ["scenario", observation.scenario],
    ["environment", observation.environment],
    ["workspace", workspace === undefined ? "–" : workspace.source],
    ["exit code", process?.signal ?? String(process?.exitCode ?? "–")],
    ["took", duration(process?.durationMs ?? null)],
    ["processor", duration(userMs === null || systemMs === null ? null : userMs + systemMs)],
    ["memory", bytes(maxRssBytes)],
    ["left running", String(process?.leftovers ?? "–")],
  ];
  return (
    <section class="evidence scroller" tabIndex={0} aria-label="Evidence">
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{printable(value)}</dd>
          </div>
        ))}
      </dl>
      <Findings truth={evidence.truth} run={run} />
      {evaluation?.problem !== undefined && <p class="problem error">{printable(evaluation.problem)}</p>}
      <Checks checks={evidence.of("check")} run={run} />
      <Changes
        changed={changed}
        patch={evidence.patch}
        patchLength={evidence.patchLength}
        download={exported() === undefined ? run : undefined}
      />
      <Commands commands={evidence.of("command-observed")} watched={watched} run={run} />
      {watched?.effects !== undefined && <Effects effects={watched.effects} />}
    </section>
  );
}
