import { useEffect, useRef, useState } from "preact/hooks";
import { Boundary, Help, isTyping, Notice, ThemeSwitch, useKeys } from "./parts/index.ts";
import { hrefOf, type Route, useRoute } from "./router.ts";
import { oneRun, type Screen, screens } from "./screens/index.ts";
import { exported } from "./source/index.ts";

export function Page() {
  const route = useRoute();
  const [help, setHelp] = useState(false);
  useKeys(({ key, target }) => {
    if (key === "?" && !isTyping(target)) setHelp((shown) => !shown);
  });
  const screen = screenOf(route);
  // Keyboard users continue here, not at the top of the page.
  const place = `${screen?.id}/${route[1] ?? ""}`;
  const before = useRef(place);
  useEffect(() => {
    if (before.current !== place) document.getElementById("main")?.focus({ preventScroll: true });
    before.current = place;
  }, [place]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <a class="wordmark" href={hrefOf("runs")}>
          harness
        </a>
        <nav aria-label="Screens">
          {exported() === undefined &&
            titled.map(({ id, title }) => (
              <a
                key={id}
                href={hrefOf(id)}
                aria-current={route[0] === id || (route[0] === undefined && id === "runs") ? "page" : undefined}
              >
                {title}
              </a>
            ))}
        </nav>
        <span class="grow" />
        <button type="button" class="quiet" aria-label="Keys and help" onClick={() => setHelp(true)}>
          ?
        </button>
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1}>
        <Boundary key={place}>
          {screen === undefined ? (
            <Notice title="This screen does not exist" next={{ label: "All runs", href: hrefOf("runs") }}>
              The address is wrong, or comes from a newer version.
            </Notice>
          ) : (
            <screen.Component route={route} />
          )}
        </Boundary>
      </main>
      {help && <Help close={() => setHelp(false)} />}
    </>
  );
}

const titled = screens.filter(({ title }) => title !== undefined);

function screenOf(route: Route): Screen | undefined {
  if (exported() !== undefined) return oneRun;
  const [id = "runs", run] = route;
  if (id === "runs" && run !== undefined) return oneRun;
  return screens.find((screen) => screen.id === id);
}
