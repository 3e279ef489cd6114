import { useEffect, useMemo } from "preact/hooks";
import { Failure, Notice } from "../parts/index.ts";
import { hrefOf, type Route } from "../router.ts";
import { panels, RunHead } from "../run/index.ts";
import { exported, serverRun } from "../source/index.ts";
import { useTimeline } from "../timeline/index.ts";
import type { Screen } from "./screen.ts";

export const runScreen: Screen = { id: "runs", Component: Run };

function Run({ route }: { readonly route: Route }) {
  const [, id = "", word = "", ...more] = route;
  const source = useMemo(() => exported() ?? serverRun(id), [id]);
  const { state, error } = useTimeline(source);
  const title = state?.page.row.name ?? state?.page.row.prompt?.slice(0, 60) ?? id;
  useEffect(() => {
    document.title = `${title} · harness`;
    return () => {
      document.title = "harness";
    };
  }, [title]);
  if (error !== undefined) return <Failure error={error} />;
  if (state === undefined) return <p class="waiting">Opening the run …</p>;
  const run = id === "" ? state.page.row.id : id;
  const named = panels.find((panel) => panel.id === word);
  const panel = named ?? panels[0];
  const { problem, done } = state.log;
  return (
    <div class="run">
      <RunHead source={source} state={state} />
      <nav class="tabs" aria-label="Ways to look at this run">
        {panels.map(({ id: own, title: label }) => (
          <a key={own} href={hrefOf("runs", run, own)} aria-current={own === panel?.id ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      {problem !== null && (
        <p class="problem error banner" role="alert">
          {problem} {state.count > 0 && "The events before it are shown."}
        </p>
      )}
      {state.count === 0 && done && problem === null ? (
        <Notice title="This run has no events">Its agent printed nothing.</Notice>
      ) : (
        panel !== undefined && (
          <panel.Component run={run} source={source} state={state} rest={named === undefined ? [word, ...more] : more} />
        )
      )}
    </div>
  );
}
