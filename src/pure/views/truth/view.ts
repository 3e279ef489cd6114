import { nothing } from "../../base/index.ts";
import type { View } from "../../pipeline/index.ts";
import { type Account, accountFold } from "./account.ts";
import { compareCommands, compareSuccess } from "./commands.ts";
import { joined } from "./finding.ts";
import { compareReported } from "./reported.ts";
import { TRUTH_VERSION, type Truth, type Unobservable } from "./schema.ts";
import { compareStated } from "./stated.ts";
import { compareTests } from "./tests.ts";
import { compareTokens } from "./tokens.ts";
import { compareWrites } from "./writes.ts";

/** The most findings listed; further ones add nothing. */
const MOST = 100;

export const truth: View<Truth> = {
  id: "truth",
  title: "The agent's report against what was observed: one object",
  holdsRun: true,
  open() {
    const fold = accountFold();
    return {
      push(event) {
        fold.see(event);
        return event.body.type === "run-end" ? [truthOf(fold.account())] : nothing;
      },
      end: () => nothing,
    };
  },
};

function truthOf(account: Account): Truth {
  const rules = [compareWrites, compareTests, compareReported, compareStated, compareCommands, compareSuccess, compareTokens];
  const { findings, unobservable: all } = joined(rules.map((compare) => compare(account)));
  const unobservable = distinct(all);
  const changes = account.files?.body.total ?? null;
  const commands = account.watched?.body.observed ?? null;
  const isObserved = changes !== null && commands !== null && unobservable.every(({ claim }) => claim === undefined);
  return {
    schemaVersion: TRUTH_VERSION,
    verdict: findings.length > 0 ? "contradicted" : isObserved ? "consistent" : "unknown",
    findings: findings.slice(0, MOST),
    total: findings.length,
    unobservable: unobservable.slice(0, MOST),
    compared: { calls: account.calls.length, changes, commands },
  };
}

function distinct(items: readonly Unobservable[]): Unobservable[] {
  return [...new Map(items.map((item) => [`${item.rule}\n${item.reason}\n${item.claim ?? ""}`, item])).values()];
}
