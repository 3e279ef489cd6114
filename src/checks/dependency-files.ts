import type { FilePatch } from "./patch-files.ts";

export interface AddedDependency {
  readonly name: string;
  readonly line: number;
}

/** How a line of such a file names a dependency; the first group is its name. */
const FILES: readonly (readonly [file: RegExp, line: RegExp])[] = [
  [
    /(?:^|\/)package\.json$/,
    /^\s*"((?:@[\w.-]+\/)?[\w.-]+)"\s*:\s*"(?:[\^~<>=*v]*\d[^"]*|\*|latest|next|(?:file|git|git\+\w+|npm|workspace|link|https?|github):[^"]*)"/,
  ],
  [/(?:^|\/)(?:requirements[^/]*|constraints)\.(?:txt|in)$/, /^\s*([A-Za-z][\w.-]*(?:\[[\w,-]+\])?)\s*(?:[=<>~!]=|[<>@;]|$)/],
  [
    /(?:^|\/)(?:pyproject\.toml|Pipfile)$/,
    /^\s*(?:"([A-Za-z][\w.-]*)\s*(?:\[[\w,-]+\])?\s*(?:[=<>~!;@][^"]*)?",?|([A-Za-z][\w-]*)\s*=\s*(?:"[\^~<>=*]*\d[^"]*"|"\*"|\{.*version.*\}))\s*$/,
  ],
  [/(?:^|\/)Cargo\.toml$/, /^\s*([A-Za-z][\w-]*)\s*=\s*(?:"[\^~<>=*]*\d[^"]*"|"\*"|\{.*(?:version|git|path).*\})/],
  [/(?:^|\/)go\.mod$/, /^\s*(?:require\s+)?((?:[\w-]+\.)+[\w-]+\/\S+)\s+v\d/],
  [/(?:^|\/)(?:Gemfile|[^/]+\.gemspec)$/, /^\s*(?:gem|\w+\.add_(?:\w+_)?dependency)\s*\(?\s*["']([^"']+)["']/],
  [/(?:^|\/)composer\.json$/, /^\s*"([\w.-]+\/[\w.-]+)"\s*:\s*"/],
  [/(?:^|\/)pom\.xml$/, /^\s*<artifactId>([^<]+)<\/artifactId>/],
  [
    /(?:^|\/)(?:[^/]+\.gradle(?:\.kts)?)$/,
    /^\s*(?:implementation|api|compileOnly|runtimeOnly|testImplementation|kapt|classpath)\s*\(?\s*["']([^"']+):[^:"']+["']/,
  ],
  [/(?:^|\/)[^/]+\.csproj$/, /<PackageReference\s+Include="([^"]+)"/],
];

/** Keys of package.json and pyproject.toml that look like a dependency and are none. */
const NOT_ONE = new Set(["version", "node", "npm", "target", "packageManager", "python", "edition", "rust-version", "name"]);

export function isDependencyFile(path: string): boolean {
  return FILES.some(([file]) => file.test(path));
}

/** Names in added lines that are not in removed ones: a new version of what was there is no new dependency. */
export function addedDependencies(file: FilePatch | undefined): readonly AddedDependency[] {
  const rule = FILES.find(([each]) => each.test(file?.path ?? ""))?.[1];
  if (file === undefined || rule === undefined) return [];
  const nameIn = (text: string) => {
    const found = rule.exec(text);
    return found?.[1] ?? found?.[2];
  };
  const before = new Set(file.removed.map(({ text }) => nameIn(text)));
  return file.added.flatMap(({ text, line }) => {
    const name = nameIn(text);
    return name === undefined || before.has(name) || NOT_ONE.has(name) ? [] : [{ name, line }];
  });
}
