/** Runs before the first paint. A page from the disk may have no storage: then the choice lasts until the next page. */
export function setUpTheme() {
  const stored = quietly(() => localStorage.getItem("theme"));
  if (stored === "dark" || stored === "light") document.documentElement.dataset.theme = stored;
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", () => {
      const isDark = (document.documentElement.dataset.theme ?? systemTheme()) === "dark";
      const next = isDark ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      quietly(() => localStorage.setItem("theme", next));
    });
  });
}

function systemTheme() {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function quietly(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}
