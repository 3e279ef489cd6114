import { useState } from "preact/hooks";
import { chooseTheme, chosenTheme, type Theme } from "../theme.ts";

const NEXT: Readonly<Record<Theme, Theme>> = { system: "dark", dark: "light", light: "system" };
const SIGN: Readonly<Record<Theme, string>> = { system: "◐", dark: "●", light: "○" };

export function ThemeSwitch() {
  const [theme, setTheme] = useState(chosenTheme);
  const turn = () => {
    const next = NEXT[theme];
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <button type="button" class="quiet" onClick={turn} aria-label={`Colors: ${theme}. Change to ${NEXT[theme]}`} title={`Colors: ${theme}`}>
      {SIGN[theme]}
    </button>
  );
}
