/** Whether a path is a test by its name, as test runners for JavaScript, Python, Go, Rust, Java, Ruby, PHP, C# and others find them. */
export function isTestFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!SOURCE.test(name)) return false;
  return TEST_NAME.test(name) || /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing)\//i.test(path);
}

const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|kts|scala|groovy|rb|php|cs|fs|swift|c|cc|cpp|h|hpp|m|ex|exs|clj|hs|dart|lua|sh|bats|vue|svelte|feature)$/;

const TEST_NAME =
  /(?:[._-](?:test|tests|spec|e2e|it)\.[^.]+$)|(?:^test[._-]|^tests?\.[^.]+$|^spec[._-])|(?:(?:Test|Tests|TestCase|Spec|IT)\.[^.]+$)|\.(?:bats|feature)$/;
