// What `CREATE TABLE` and `CREATE INDEX` say about columns. Only names are needed, so this is not a parser of SQL.

export interface DeclaredColumns {
  readonly names: readonly string[];
  /** The column that is another name of the rowid: `INTEGER PRIMARY KEY`. */
  readonly rowid: string | undefined;
}

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|'(?:[^']|'')*'|[(),]|[^\s"`'[\](),]+/g;

/** Undefined for a table without rowids, which is stored differently. */
export function columnsOf(sql: string): DeclaredColumns | undefined {
  const { parts, rest } = definitions(sql);
  if (/\bWITHOUT\s+ROWID\b/i.test(rest)) return undefined;
  const columns = parts.filter(([first = ""]) => !CONSTRAINT.test(first));
  const rowid = columns.find(([, ...type]) => /^INTEGER PRIMARY KEY\b(?! DESC)/i.test(type.join(" ")))?.[0];
  const shared = parts.find(([first = ""]) => /^PRIMARY$/i.test(first));
  const alone = shared !== undefined && shared.length === 5 ? nameOf(shared[3] ?? "") : undefined;
  const named = columns.find(([name = "", type = ""]) => nameOf(name) === alone && /^INTEGER$/i.test(type))?.[0];
  const alias = rowid ?? named;
  return { names: columns.map(([name = ""]) => nameOf(name)), rowid: alias === undefined ? undefined : nameOf(alias) };
}

const CONSTRAINT = /^(CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)$/i;

/** The first column of an index over plain columns; undefined if the index has fewer rows than the table, or a different order. */
export function indexedColumn(sql: string): string | undefined {
  const { parts, rest } = definitions(sql);
  const [first] = parts;
  if (first === undefined || first.length !== 1 || /\bWHERE\b/i.test(rest)) return undefined;
  return nameOf(first[0] ?? "");
}

/** The tokens of each definition between the first parentheses, and what follows them. Inner parentheses stay tokens. */
function definitions(sql: string): { readonly parts: readonly (readonly string[])[]; readonly rest: string } {
  const tokens = [...sql.matchAll(TOKEN)].map(([token]) => token).filter((token) => !/^(--|\/\*)/.test(token));
  const parts: string[][] = [];
  let depth = 0;
  let at = 0;
  for (; at < tokens.length; at++) {
    const token = tokens[at] ?? "";
    if (token === "(" && ++depth === 1) parts.push([]);
    else if (token === ")" && --depth === 0) break;
    else if (token === "," && depth === 1) parts.push([]);
    else if (depth > 0) parts.at(-1)?.push(token);
  }
  return { parts: parts.filter((part) => part.length > 0), rest: tokens.slice(at + 1).join(" ") };
}

function nameOf(token: string): string {
  const quote = token[0] ?? "";
  if (quote === "[") return token.slice(1, -1);
  return "\"`'".includes(quote) && quote !== "" ? token.slice(1, -1).replaceAll(quote + quote, quote) : token;
}
