// Why a release must wait: each function returns sentences, and none if all is well.

export function treeProblems(status, tags, tag) {
  const changed = status.split("\n").filter((line) => line !== "");
  const problems =
    changed.length === 0 ? [] : [`${changed.length} files are changed or untracked; commit or remove them: ${changed[0].trim()}`];
  if (tags.split("\n").includes(tag)) problems.push(`The tag ${tag} exists already; raise the version in package.json.`);
  return problems;
}

export function versionProblems(version, lock) {
  const problems = [];
  if (!/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(version)) problems.push(`${version} in package.json is not a semantic version.`);
  const locked = [lock.version, lock.packages?.[""]?.version];
  if (locked.some((each) => each !== version)) problems.push(`package-lock.json says ${locked.join(" and ")}; run npm install.`);
  return problems;
}

export function changelogProblems(text, version) {
  const sections = new Map(
    [...text.matchAll(/^## \[([^\]]+)\](.*)\n([\s\S]*?)(?=^## \[|$(?![\s\S]))/gm)].map(([, name, rest, body]) => [name, { rest, body }]),
  );
  const problems = [];
  if (/^- /m.test(sections.get("Unreleased")?.body ?? "")) problems.push(`[Unreleased] has entries; move them to [${version}].`);
  const own = sections.get(version);
  if (own === undefined) problems.push(`There is no section [${version}].`);
  else {
    if (!/^ - \d{4}-\d{2}-\d{2}$/.test(own.rest)) problems.push(`[${version}] has no date; write ## [${version}] - YYYY-MM-DD.`);
    if (!/^- /m.test(own.body)) problems.push(`[${version}] has no entries.`);
  }
  return problems;
}

const NEEDED = [
  /^README\.md$/,
  /^LICENSE$/,
  /^CHANGELOG\.md$/,
  /^dist\/cli\/harness\.js$/,
  /^dist\/index\.js$/,
  /^dist\/types\/index\.d\.ts$/,
  /^dist\/page\//,
  /^schemas\/.*\.json$/,
  /^demo\//,
  /^scenarios\//,
];
const UNWANTED = /^(?:src|test|fixtures|page|scripts|node_modules|artifacts)\/|\.map$|(?:^|\/)\.env/;

export function packProblems(files) {
  const missing = NEEDED.filter((pattern) => !files.some((file) => pattern.test(file)));
  const unwanted = files.filter((file) => UNWANTED.test(file));
  return [
    ...missing.map((pattern) => `Nothing in the package matches ${pattern}.`),
    ...unwanted.slice(0, 5).map((file) => `${file} does not belong in the package.`),
  ];
}
