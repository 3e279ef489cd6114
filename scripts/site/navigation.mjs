/** What the menu shows, in this order; a page that matches nothing here is an error, so that none is forgotten. */
const GROUPS = [
  ["Start", /^(?:README|docs\/README)\.md$/],
  ["Tutorials", /^docs\/tutorials\//],
  ["Guides", /^docs\/guides\//],
  ["Reference", /^docs\/reference\/[^/]+\.md$|^docs\/cli\.md$/],
  ["Commands", /^docs\/reference\/cli\//],
  ["Agents", /^docs\/(?:reference\/)?agents\//],
  ["Explanation", /^docs\/explanation\//],
  ["Project", /^[A-Z]+\.md$|^docs\/words\.md$/],
  ["Decisions", /^docs\/decisions\//],
];

export function navigation(pages) {
  const groups = GROUPS.map(([title, pattern]) => ({ title, pattern, pages: [] }));
  for (const page of pages.values()) {
    if (page.isSource) continue;
    const group = groups.find(({ pattern }) => pattern.test(page.path));
    if (group === undefined) throw new Error(`${page.path} belongs to no group of the menu; add one in scripts/site/navigation.mjs.`);
    group.pages.push(page);
  }
  return groups.filter((group) => group.pages.length > 0);
}
