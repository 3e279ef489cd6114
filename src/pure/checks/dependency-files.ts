import { type FilePatch, isText } from "./patch-files.ts";

export interface AddedDependency {
  readonly name: string;
  readonly line: number;
}

/**
 * How a line of each file names a dependency: one of the groups is the name. `list`: the start of a line that holds several of them in
 * brackets, each a string. Lines may be hostile, so every expression runs in linear time.
 */
const FILES: readonly (readonly [file: RegExp, line: RegExp, list?: RegExp])[] = [
  [
    /(?:^|\/)package\.json$/,
    /(?:^|[{,])\s*"((?:@[\w.-]+\/)?[\w.-]+)"\s*:\s*"(?:[\^~<>=*v]*\d[^"]*|\*|latest|next|(?:file|git|git\+\w+|npm|workspace|link|https?|github):[^"]*)"/g,
  ],
  [
    /(?:^|\/)(?:requirements[^/]*|constraints)\.(?:txt|in)$/,
    /^\s*(?:([A-Za-z][\w.-]*(?:\[[\w,-]+\])?)\s*(?:[=<>~!]=|[<>@;]|$)|(?:-e\s+)?((?:git\+)?https?:\/\/\S+))/g,
  ],
  [
    /(?:^|\/)(?:pyproject\.toml|Pipfile)$/,
    /^\s*(?:"([A-Za-z][\w.-]*)\s*(?:\[[\w,-]+\])?\s*(?:[=<>~!;@][^"]*)?",?\s*$|([A-Za-z][\w-]*)\s*=\s*(?:"[\^~<>=*]*\d[^"]*"\s*$|"\*"\s*$|\{.*?version))/g,
    /^\s*(?:dependencies|requires)\s*=\s*\[/,
  ],
  [
    /(?:^|\/)setup\.(?:py|cfg)$/,
    /^\s+["']?([A-Za-z][\w.-]*)(?:\[[\w,-]+\])?\s*(?:[=<>~!]=|[<>@])[^"']*["']?,?\s*\]?,?\s*$|^\s+["']([A-Za-z][\w.-]*)["'],\s*$|^\s+([A-Za-z][\w.-]*)$/g,
    /\b(?:install_requires|tests_require|setup_requires|extras_require|requires)\b\s*=\s*[[{]/,
  ],
  [/(?:^|\/)environment[^/]*\.ya?ml$/, /^\s*-\s+["']?(?:[\w.-]+::)?([A-Za-z][\w.-]*)(?:\[[\w,-]+\])?\s*(?:[=<>~!][^"']*)?["']?\s*$/g],
  [
    /(?:^|\/)Cargo\.toml$/,
    /^\s*([A-Za-z][\w-]*)\s*=\s*(?:"[\^~<>=*]*\d[^"]*"|"\*"|\{.*?(?:version|git|path|workspace))|^\s*\[(?:[^\]]*\.)?(?:dev-|build-)?dependencies\.([\w-]+)\]/g,
  ],
  [/(?:^|\/)go\.mod$/, /^\s*(?:require\s+)?((?:[\w-]+\.)+[\w-]+\/\S+)\s+v\d/g],
  [/(?:^|\/)(?:Gemfile|[^/]+\.gemspec)$/, /^\s*(?:gem|\w+\.add_(?:\w+_)?dependency)\s*\(?\s*["']([^"']+)["']/g],
  [/(?:^|\/)composer\.json$/, /(?:^|[{,])\s*"([\w.-]+\/[\w.-]+)"\s*:\s*"/g],
  [/(?:^|\/)pom\.xml$/, /<artifactId>([^<]+)<\/artifactId>/g],
  [
    /(?:^|\/)(?:[^/]+\.gradle(?:\.kts)?)$/,
    /^\s*(?:implementation|api|compileOnly|runtimeOnly|testImplementation|kapt|classpath)\s*\(?\s*["']([^"']+):[^:"']+["']/g,
  ],
  [/(?:^|\/)[^/]+\.csproj$/, /<PackageReference\s+Include="([^"]+)"/g],
];

const LISTED = /["']([A-Za-z][\w.-]*)[^"']*["']/g;

/** Longer lines are not read; a whole package.json in one line is shorter. */
const LONGEST = 100_000;

/** Keys of package.json and pyproject.toml that look like a dependency but are not. */
const NOT_ONE = new Set(["version", "node", "npm", "target", "packageManager", "python", "edition", "rust-version", "name"]);

export function isDependencyFile(path: string): boolean {
  return FILES.some(([file]) => file.test(path));
}

/** Whether all its added lines can be read. */
export function isReadable(file: FilePatch | undefined): boolean {
  return isText(file) && file.added.every(({ text }) => text.length <= LONGEST);
}

/** Names in added lines that are not in removed ones: a new version of an existing dependency is not a new one. */
export function addedDependencies(file: FilePatch | undefined): readonly AddedDependency[] {
  const [, rule, list] = FILES.find(([each]) => each.test(file?.path ?? "")) ?? [];
  if (file === undefined || rule === undefined) return [];
  const namesIn = (text: string) =>
    [...text.slice(0, LONGEST).matchAll(list?.test(text) ? LISTED : rule)].flatMap(([, ...groups]) =>
      groups.filter((name) => name !== undefined),
    );
  const before = new Set([...NOT_ONE, ...file.removed.flatMap(({ text }) => namesIn(text))]);
  return file.added.flatMap(({ text, line }) => namesIn(text).flatMap((name) => (before.has(name) ? [] : [{ name, line }])));
}
