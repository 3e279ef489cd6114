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
      ...problems.map((problem) => `    ${problem}`),
    ]);
  const failed = outcomes.filter(({ problems }) => problems.length > 0).length;
  return [`${id}, ${agent.label}: ${outcomes.length - failed} of ${outcomes.length} runs went as their scenario says`, ...rows, ""].join(
    "\n",
  );
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
