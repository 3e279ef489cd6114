// What happened, per agent: one line per scenario, and below it what differed.

export function report(id, agent, outcomes) {
  const width = Math.max(...outcomes.map(({ scenario }) => scenario.name.length));
  const rows = outcomes
    .toSorted((a, b) => a.scenario.name.localeCompare(b.scenario.name))
    .flatMap(({ scenario, problems, milliseconds, ledger, folder }) => [
      [
        problems.length === 0 ? "✓" : "✗",
        scenario.name.padEnd(width),
        `${(milliseconds / 1000).toFixed(1)} s`.padStart(7),
        `${ledger.length} request${ledger.length === 1 ? " " : "s"}`.padStart(12),
        `${tokensOf(ledger)} tokens`.padStart(14),
        ...(folder === undefined ? [] : [folder]),
      ].join("  "),
      ...counted(problems).map((problem) => `    ${problem}`),
    ]);
  const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
  const title = `${id}, ${agent.label}: ${outcomes.length - failed} of ${outcomes.length} runs went as their scenario says`;
  const { lines, share, samples } = understood(outcomes);
  return [
    title,
    ...rows,
    `   ${lines} lines read, ${share} % of them explained`,
    ...samples.map(([kind, sample]) => `    not explained, ${kind}: ${sample}`),
    "",
  ].join("\n");
}

/** What is said several times is said once, with its number. */
function counted(problems) {
  const counts = new Map();
  for (const problem of problems) counts.set(problem, (counts.get(problem) ?? 0) + 1);
  return [...counts].map(([problem, count]) => (count === 1 ? problem : `${problem}, ${count} times`));
}

/** The same for programs. */
export function asData({ id, agent, outcomes }) {
  const { lines, share, samples } = understood(outcomes);
  return {
    agent: id,
    version: agent.version,
    lines,
    explained: Number(share),
    unexplained: Object.fromEntries(samples),
    runs: outcomes.map(({ scenario, problems, milliseconds, ledger }) => ({
      scenario: scenario.name,
      problems,
      milliseconds: Math.round(milliseconds),
      requests: ledger.length,
    })),
  };
}

/** How many of the lines it printed were read, and one of every kind that was not. */
export function understood(outcomes) {
  const lines = outcomes.reduce((sum, outcome) => sum + outcome.lines, 0);
  const unread = outcomes.flatMap((outcome) => outcome.unread);
  const share = lines === 0 ? 100 : (100 * (lines - unread.length)) / lines;
  const samples = new Map(unread.map(({ raw }) => [kindOf(raw), JSON.stringify(raw).slice(0, 160)]));
  return { lines, share: share.toFixed(share === 100 ? 0 : 2), samples: [...samples] };
}

function kindOf(raw) {
  return typeof raw === "object" && raw !== null && typeof raw.type === "string" ? raw.type : "text";
}

/** The command lines that the specification shows. */
export function reportConsumers(consumed) {
  const rows = consumed.map(
    ({ what, problem }) => `${problem === undefined ? "✓" : "✗"}  ${what}${problem === undefined ? "" : `\n    ${problem}`}`,
  );
  return ["the readers of specification 001", ...rows, ""].join("\n");
}

function tokensOf(ledger) {
  const all = ledger.flatMap(({ usage }) => Object.values(usage ?? {}));
  return all.reduce((sum, count) => sum + count, 0);
}
