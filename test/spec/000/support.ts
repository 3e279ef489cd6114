import { expect } from "vitest";
import { agents } from "../../../src/pure/agents/agents.ts";
import { activity } from "../../../src/pure/views/activity/view.ts";
import { feed } from "../../support/fixtures.ts";

/** The activity events of these lines, without the fields every event has. */
export function activityOf(agent: keyof typeof agents, lines: readonly unknown[]): object[] {
  const input = lines.map((line) => (typeof line === "string" ? `${line}\n` : `${JSON.stringify(line)}\n`)).join("");
  return feed(agents[agent], activity, [Buffer.from(input)]).map(({ timestamp, sessionId, ...record }) => {
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    return record;
  });
}
