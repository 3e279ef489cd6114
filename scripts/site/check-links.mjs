/** Links to a file or an anchor that does not exist: `docs/a.md: b.md#c`. */
export function checkLinks(pages) {
  return [...pages.values()].flatMap(({ links }) =>
    links.filter((link) => !resolves(pages, link)).map(({ from, to, hash }) => `${from}: ${from === to ? "" : to}${hash}`),
  );
}

function resolves(pages, { to, hash }) {
  const page = pages.get(to);
  if (page === undefined) return false;
  const id = decodeURIComponent(hash.slice(1));
  return id === "" || page.html.includes(` id="${id}"`);
}
