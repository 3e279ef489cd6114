/**
 * The sections that contain every term, best first. A term in a title or a heading counts most, then one at the start of a word. Scans
 * the whole text: 1 MB takes a few milliseconds.
 */
export function find(index, query, most = 20) {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== "");
  if (terms.length === 0) return [];
  const found = [];
  for (const section of index) {
    const score = scoreOf(section, terms);
    if (score > 0) found.push({ section, score });
  }
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, most).map(({ section }) => ({ ...section, snippet: snippetOf(section.text, terms) }));
}

function scoreOf({ title, heading, text, url }, terms) {
  let score = 0;
  for (const term of terms) {
    const best = Math.max(
      strength(heading.toLowerCase(), term) * 8,
      strength(title.toLowerCase(), term) * (heading === "" ? 10 : 3),
      strength(text.toLowerCase(), term),
    );
    if (best === 0) return 0;
    score += best;
  }
  return url.includes("decisions/") ? score / 2 : score;
}

/** 0: absent, 1: inside a word, 2: begins a word, 3: a whole word. */
function strength(text, term) {
  let best = 0;
  for (let at = text.indexOf(term); at !== -1 && best < 3; at = text.indexOf(term, at + 1)) {
    const begins = at === 0 || !isWord(text[at - 1]);
    const ends = at + term.length === text.length || !isWord(text[at + term.length]);
    best = Math.max(best, begins ? (ends ? 3 : 2) : 1);
  }
  return best;
}

function isWord(sign) {
  return /[\p{L}\p{N}_]/u.test(sign);
}

/** Some text around the first term, in pieces; `isHit` marks the terms themselves. */
function snippetOf(text, terms) {
  const lower = text.toLowerCase();
  const first = Math.max(0, Math.min(...terms.map((term) => lower.indexOf(term)).filter((at) => at !== -1), text.length) - 40);
  const from = first === 0 || first >= text.length ? 0 : lower.indexOf(" ", first) + 1;
  const isCut = text.length > from + 160;
  const part = isCut ? text.slice(from, text.lastIndexOf(" ", from + 160)) : text.slice(from);
  const pattern = new RegExp(`(${terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "i");
  const pieces = part.split(pattern).map((piece, i) => ({ text: piece, isHit: i % 2 === 1 }));
  return [{ text: from > 0 ? "… " : "", isHit: false }, ...pieces, { text: isCut ? " …" : "", isHit: false }].filter(
    (piece) => piece.text !== "",
  );
}
