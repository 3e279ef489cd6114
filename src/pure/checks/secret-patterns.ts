/** The forms of keys and passwords. The first group, if there is one, is the secret itself. */
const PATTERNS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a private key", /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ["a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})\b/],
  ["a GitLab token", /\bglpat-[\w-]{20,}/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/],
  ["an API key", /\bsk-(?:ant-|proj-|live-)?[A-Za-z0-9_-]{20,}/],
  ["a Stripe key", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/],
  ["a Google API key", /\bAIza[0-9A-Za-z_-]{35}\b/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b/],
  ["a JSON web token", /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  ["a password in an address", /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@'"$<{]+:([^\s:/@'"$<{]{6,})@/i],
  [
    "a secret in an assignment",
    /(?:api[_-]?key|secret|token|passwd|password|credential)s?["']?\s*(?::|=>?|:=)\s*["']([^\s"'$<{][^\s"']{11,})["']/i,
  ],
];

/** Texts that stand for a secret but are not one. */
const PLACEHOLDER = /example|changeme|dummy|placeholder|your[_-]|xxx|redacted|<|test|fake|sample|process\.env|secret$|password$/i;

/** The kind of secret in a line, never the secret itself. Undefined: no known kind. */
export function secretIn(line: string): string | undefined {
  for (const [what, pattern] of PATTERNS) {
    const found = pattern.exec(line);
    if (found === null) continue;
    const value = found[1];
    if (value !== undefined && (PLACEHOLDER.test(value) || !isMixed(value))) continue;
    return what;
  }
  return undefined;
}

/** A plain word is not a password: a password mixes letters and digits, or has many different characters. */
function isMixed(value: string): boolean {
  return (/\d/.test(value) && /[a-z]/i.test(value)) || new Set(value).size > 14;
}
