import { UNSCANNED } from "./tame-code.ts";

/** Whether a path is a test by its name, as test runners for JavaScript, Python, Go, Rust, Java, Ruby, PHP, C# and others find them. */
export function isTestFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!SOURCE.test(name)) return false;
  return TEST_NAME.test(name) || /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing)\//i.test(path);
}

/** Whether test programs find it by its own name. A file in a folder of tests may be a helper. */
export function isNamedTest(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return SOURCE.test(name) && FOUND_NAME.test(name);
}

/** A longer list is not kept. */
const MOST = 300;

/** The files that are named like tests, except installed and generated ones. Undefined: too many. */
export function testFilesIn(paths: Iterable<string>): readonly string[] | undefined {
  const found: string[] = [];
  for (const path of paths) {
    if (!isNamedTest(path) || UNSCANNED.test(path)) continue;
    found.push(path);
    if (found.length > MOST) return undefined;
  }
  return found;
}

const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|scala|groovy|rb|php|cs|fs|swift|c|cc|cpp|h|hpp|m|ex|exs|clj|hs|dart|lua|sh|bats|vue|svelte|feature)$/;

const FOUND_NAME =
  /[._-](?:test|spec)\.[^.]+$|^test[._-]|^test\.[^.]+$|(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kts?|scala|groovy|cs|php|swift)$|\.(?:bats|feature)$/;

const TEST_NAME =
  /(?:[._-](?:test|tests|spec|e2e|it)\.[^.]+$)|(?:^test[._-]|^tests?\.[^.]+$|^spec[._-])|(?:(?:Test|Tests|TestCase|Spec|IT)\.[^.]+$)|\.(?:bats|feature)$/;
