import { resolvePath } from "../base/index.ts";

/**
 * Whether code can reach what decides a test run: the process, the assertions, the loader, or built-in objects. What it can reach has a
 * name, so code is tame only if all names in it are harmless. Names that are put together while it runs are not tame, either. This
 * decides by allowing, not by forbidding: what is not understood is not tame.
 */
export function isTame(path: string, lines: readonly string[], isTest: boolean): boolean {
  const text = lines
    .filter((line) => !isComment(line, path))
    .join("\n")
    .replace(/\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (whole, ...hex: readonly (string | undefined)[]) => {
      const code = Number.parseInt(hex.slice(0, 3).find((each) => each !== undefined) ?? "", 16);
      return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : whole;
    });
  if (text.length > LONGEST) return false;
  const known = LANGUAGES.find(([name]) => name.test(path))?.[1];
  return known === undefined ? [script, python, others].every((each) => each(text, path, isTest)) : known(text, path, isTest);
}

/** Longer code is not read. */
const LONGEST = 400_000;

type Judge = (text: string, path: string, isTest: boolean) => boolean;

const LANGUAGES: readonly (readonly [RegExp, Judge])[] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte)$/, script],
  [/\.(?:py|pyi)$/, python],
  [/\.(?:rb|php|java|kt|kts|scala|groovy|go|rs|cs|fs|swift|c|cc|cpp|h|hpp|m|sh|bash|zsh)$/, others],
];

/** A line that only comments, unless code may hide in it: a product, or a text that is filled in. */
function isComment(line: string, path: string): boolean {
  if (/^\s*\/\//.test(line)) return !line.includes("${");
  if (/^\s*(?:\*|\/\*)/.test(line)) return !/[([=`]|\*\/\s*\S/.test(line);
  return /\.(?:py|rb|sh|bash|zsh)$/.test(path) && /^\s*#/.test(line) && !line.includes("{");
}

/** Folders that are not scanned, because programs write there: code in them is not known. */
export const UNSCANNED =
  /(?:^|\/)(?:\.git|node_modules|bower_components|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.cache|\.tox|\.nox|\.gradle|\.turbo|\.parcel-cache|\.vite|\.next|\.nuxt|\.venv|venv|site-packages|coverage|\.nyc_output|dist|build|out|target|generated)(?:\/|$)/;

const GLOBAL_OBJECTS =
  "(?:Object|Function|Array|String|Number|Boolean|Symbol|BigInt|Error|TypeError|Promise|Map|Set|WeakMap|WeakSet|RegExp|Date|JSON|Math|Intl|Reflect|Buffer|console|assert|expect|EventEmitter)";

/** Names by which JavaScript reaches the process, the loader, its own source or built-in objects. */
const REACHES: readonly RegExp[] = [
  /(?<![\w$.])process\b(?!\s*\.\s*(?:env\b|(?:cwd|argv|platform|version|versions|arch|hrtime|nextTick|memoryUsage|uptime|stdin|pid|title|cpuUsage|(?:stdout|stderr)\s*\.\s*(?:write\s*\(|isTTY|columns))\b(?!\s*=(?!=))|(?:stdout|stderr)\s*\.\s*write\s*\())(?!\s*[:(]|["'`]|\s+(?!instanceof\b|in\b|as\b|of\b|satisfies\b)[A-Za-z])/,
  /(?<![\w$.])(?:globalThis|global|eval|Reflect|Proxy|WebAssembly|arguments|Atomics)\b(?!["'`:]|\s+[A-Za-z])/,
  /(?<![\w$])(?:window|self|this|top|parent)\s*(?:\?\.)?\[(?!\s*(?:\d+|[A-Za-z_$][\w$]*)\s*\])/,
  /(?<![\w$.])Function\s*[([.;,)]/,
  /\.\s*constructor\b(?!\s*\.\s*name\b)|["'`]constructor["'`]|\b__\w+__\b|\b(?:get|set)PrototypeOf\b/,
  /(?<![\w$.'"-])module\b(?!\s*\.\s*exports\b|\s*[:("'`]|\s+[A-Za-z{]|-)/,
  /(?<![\w$.])require\b(?!\s*\(\s*(?:"[^"\\]+"|'[^'\\]+')\s*\)|["'`:]|\s+[a-z])|(?<![\w$.])import\s*\((?!\s*(?:"[^"\\]+"|'[^'\\]+')\s*\))/,
  new RegExp(`(?<![\\w$.])${GLOBAL_OBJECTS}\\s*\\.\\s*prototype\\b(?!\\s*\\.\\s*\\w+\\s*\\.\\s*(?:call|apply)\\b)`),
  new RegExp(`(?<![\\w$.])${GLOBAL_OBJECTS}\\s*(?:(?:\\.\\s*\\w+|\\[[^\\]]*\\])\\s*=(?![=>])|\\[(?!\\]))`),
  new RegExp(`(?<![=!<>])=\\s*${GLOBAL_OBJECTS}\\s*(?:[;,\\n)}]|$)`),
  new RegExp(`\\b(?:assign|defineProperty|defineProperties)\\s*\\(\\s*(?:${GLOBAL_OBJECTS}\\b|require\\b)`),
  /(?<!(?:const|let|var|function|class|readonly|static|\w:)\s+)(?<![\w$.])(?:test|it|describe|expect|suite|beforeEach|afterEach)\s*=(?![=>])/,
  /\bSymbol\s*\.\s*(?:toPrimitive|hasInstance|toStringTag)\b|(?<![.\w])valueOf\b|\bprepareStackTrace\b/,
  /\b(?:NODE_TEST_CONTEXT|JEST_WORKER_ID|VITEST\w*|npm_lifecycle_\w+|NODE_ENV\W{0,6}test)\b/,
];

/** Names that are put together while the code runs. */
const BUILDS: readonly RegExp[] = [
  /(["'`])[\w$]{0,80}\1\s*\+\s*(["'`])[\w$]{0,80}\2/,
  /(["'`])[\w$]{1,80}\1\s*\.\s*(?:concat|replace|replaceAll|split|slice|substr|substring|repeat|at|charAt|padEnd|padStart)\s*\(/,
  /\[\s*(?:(["'`])[\w$]{0,80}\1\s*(?:,\s*)?){1,50}\]\s*\.\s*(?:join|reverse|reduce)\b/,
  /\$\{\s*["'`]/,
  /\b(?:atob|fromCharCode|fromCodePoint|unescape)\b|\bfrom\s*\([^)]{0,200}["'`](?:base64|base64url|hex|latin1|binary)["'`]/,
];

/** `a[b]`: what is before the bracket, what is in it, and whether the result is called. */
const MEMBER = /((?<![\w$])[\w$]{1,200}|[)\]])[ \t]*(?:\?\.)?\[([^\]]{0,200})(\]?)(\s*(?:\]\s*)?(?:\?\.\s*)?\()?/g;
const KEYWORD = /^(?:return|of|in|case|typeof|void|await|yield|else|new|default|const|let|var|extends|from|as)$/;

/** Whether a member is chosen by a name that is put together, or called by a name that is not written down. */
function choosesByName(text: string): boolean {
  for (const [, before = "", key = "", end, call] of text.matchAll(MEMBER)) {
    if (KEYWORD.test(before) || /^\s*(?:\d+|"[^"]*"|'[^']*')?\s*$/.test(key)) continue;
    if (end === "" || call !== undefined || /["'`]\s*\+|\+\s*["'`]|\$\{/.test(key)) return true;
  }
  return false;
}

const HARMLESS_MODULES =
  /^(?:fs|fs\/promises|path|path\/posix|url|util|events|os|crypto|stream(?:\/\w+)?|https?|http2|net|tls|dns|zlib|string_decoder|querystring|readline(?:\/promises)?|timers(?:\/promises)?|buffer|perf_hooks|punycode)$/;
const BUILT_IN =
  /^(?:assert(?:\/strict)?|test(?:\/.*)?|module|vm|v8|worker_threads|cluster|inspector(?:\/promises)?|process|child_process|repl|async_hooks|diagnostics_channel|wasi|trace_events|domain|sys|constants|sqlite|sea|tty|dgram)$/;
const FOR_TESTS = /^(?:assert(?:\/strict)?|test(?:\/.*)?|child_process|worker_threads)$/;
const TEST_LIBRARY =
  /^(?:@jest\/|@vitest\/|@testing-library\/|chai|sinon|jest|vitest|mocha|ava|tap|tape|uvu|expect|should|proxyquire|rewire|mock-require|mockery|testdouble|power-assert|unexpected|nock|esmock|quibble|import-fresh|decache)/;

function script(text: string, path: string, isTest: boolean): boolean {
  if ([...REACHES, ...BUILDS].some((each) => each.test(text)) || choosesByName(text)) return false;
  if (
    isTest &&
    /(?<![\w$.])(?:assert|expect)\b(?!(?:\s*\.\s*\w+)*\s*\(|\s*=\s*require\b|\s*from\b|\s+from\b|["'`]|\s*\}|\s+[a-z])|\bexpect\s*\.\s*extend\b/.test(
      text,
    )
  )
    return false;
  const names = text.matchAll(/\b(?:require|import)\s*\(\s*["']([^"']+)["']|\b(?:from|import)\s*["']([^"'\n]+)["']/g);
  return [...names].every(([, called, named]) => isHarmless(called ?? named ?? "", path, isTest));
}

/** Whether a module can be loaded without reaching what decides a test run. */
function isHarmless(name: string, path: string, isTest: boolean): boolean {
  if (/^\.{1,2}(?:\/|$)/.test(name)) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    const depth = folder === "" ? 0 : folder.split("/").length;
    const up = name.split("/").filter((part) => part === "..").length;
    const ending = /[^./]\.(\w+)$/.exec(name)?.[1];
    const isKnown = ending === undefined || /^(?:[cm]?[jt]sx?|json|vue|svelte|s?css|less|svg|png|jpe?g|gif|webp)$/.test(ending);
    return up <= depth && isKnown && !UNSCANNED.test(resolvePath(`${folder}/${name}`, "/").slice(1));
  }
  if (/^(?:\/|[a-z]+:(?!\w))|^(?!node:)[a-z]+:|\\/i.test(name)) return false;
  const bare = name.replace(/^node:/, "");
  if (HARMLESS_MODULES.test(bare)) return true;
  if (BUILT_IN.test(bare) || name.startsWith("node:")) return isTest && FOR_TESTS.test(bare);
  return isTest || !TEST_LIBRARY.test(bare);
}

const PYTHON =
  /\b(?:SystemExit|KeyboardInterrupt|SkipTest|_exit|exit|quit|__import__|importlib|__builtins__|builtins|globals|locals|vars|setattr|getattr|delattr|eval|exec|compile|signal|ctypes|inspect|gc|atexit|faulthandler|base64|codecs|fromhex|runpy|pytest_\w+|conftest|_pytest|PYTEST_\w+)\b|\b__(?!init__|name__|main__|str__|repr__|len__|iter__|next__|enter__|aenter__|all__|post_init__|future__|doc__|add__|sub__|mul__|lt__|hash__|getitem__|contains__|call__)\w+__|\bsys\s*\.\s*(?!argv\b|path\b(?!_)|stdin\b|stdout\b|stderr\b|version\b|version_info\b|platform\b|maxsize\b|executable\b)\w+|\bsys\s+as\b|\bfrom\s+(?:sys|os|posix)\s+import\b|\b(?:std\w+)\s*=(?!=)|\bos\s*\.\s*(?:kill\w*|abort|exec\w*|fork\w*|dup2?|posix_\w+)|(?<!\bimport [\w, ]{0,80})\b(?:os|sys)\s*[;,)]|=\s*(?:os|sys)\s*$|\bchr\s*\(|\bimport\s+posix\b|\b(?:from|import)\s+\.*(?:build|dist|out|coverage|target|venv|generated)\b/m;

function python(text: string, _path: string, isTest: boolean): boolean {
  if (PYTHON.test(text)) return false;
  return isTest
    ? !/\b(?:unittest|pytest)\.[\w.]+\s*=(?!=)|\bself\s*\.\s*assert\w*\s*=(?!=)/.test(text)
    : !/\b(?:unittest|pytest|nose|mock)\b/.test(text);
}

/** In languages that we know less about, by the usual names. */
const OTHERS =
  /\b(?:_?exit|quit|abort|halt|die|Exit|Halt|FailFast|Goexit|kill|trap|at_exit|register_shutdown_function|eval|\w+_eval|define_method|instance_variable_set|reflect|unsafe|Runtime|ProcessHandle|libc|syscall|fork|dlsym|LD_PRELOAD|method_missing|const_set|refine|setAccessible|Unsafe|catch_unwind|set_hook|TestMain|XCTest|Assertions?|Minitest|RSpec)\b|\bexec\s+\S|\bos\.Exit\b|\bstd::process\b/;

function others(text: string, _path: string, isTest: boolean): boolean {
  return !OTHERS.test(isTest ? text.replace(/\b(?:XCTest|Assertions?|Minitest|RSpec)\b/g, "") : text);
}

/** Files that no program runs. */
const INERT =
  /\.(?:md|mdx|rst|adoc|txt|json|jsonc|json5|ya?ml|toml|ini|cfg|conf|properties|csv|tsv|xml|x?html?|s?css|less|svg|png|jpe?g|gif|webp|ico|bmp|pdf|lock|log|map|snap|sql|graphql|proto|woff2?|ttf|otf|eot|mp[34]|wav|zip|gz|tgz|tar|pid|tmp|swp|tsbuildinfo|patch|diff|env|example)$|(?:^|\/)(?:\.(?:git(?:ignore|attributes|keep|modules)|editorconfig|env[\w.]*|dockerignore|npmignore|prettierrc|prettierignore|eslintrc|eslintignore|nvmrc|node-version|DS_Store|coverage)|LICEN[CS]E|COPYING|NOTICE|AUTHORS|CHANGELOG|README|CODEOWNERS|Dockerfile|Procfile)$/i;

/** Whether a changed file may be run or loaded. */
export function isCode(path: string): boolean {
  return !INERT.test(path) && !UNSCANNED.test(path);
}
