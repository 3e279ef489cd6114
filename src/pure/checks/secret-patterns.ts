/** The forms of keys and passwords. The first group, if there is one, is the secret itself. */
const PATTERNS: readonly (readonly [what: string, pattern: RegExp, address?: "address"])[] = [
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
  ["a password in an address", /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@'"$<{]{0,200}:([^\s@/'"$<{]{3,200})@[^\s@]/i, "address"],
  [
    "a secret in an assignment",
    /(?:api[_-]?key|secret|token|passwd|password|credential)s?["']?\s*(?::|=>?|:=)\s*["']([^\s"'$<{][^\s"']{11,})["']/i,
  ],
  [
    "a secret in a variable",
    /\b[A-Z0-9_]*(?:SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIAL)[A-Z0-9_]*\s*[=:]\s*([^\s"'$<{`(][^\s"'`]{11,})/,
  ],
];

/** Texts that stand for a secret but are not one. */
const PLACEHOLDER = /example|changeme|dummy|placeholder|your[_-]|xxx|redacted|<|test|fake|sample|process\.env|secret$|password$/i;

/** Longer lines are searched in pieces that overlap by more than the longest secret with a known form. */
const LONGEST = 10_000;
const OVERLAP = 500;

/** The kind of secret in a line, never the secret itself. Undefined: no known kind. */
export function secretIn(line: string): string | undefined {
  for (let from = 0; from === 0 || from + OVERLAP < line.length; from += LONGEST - OVERLAP) {
    const what = secretInPiece(line.slice(from, from + LONGEST));
    if (what !== undefined) return what;
  }
  return undefined;
}

function secretInPiece(line: string): string | undefined {
  for (const [what, pattern, isAddress] of PATTERNS) {
    for (const [, value] of line.matchAll(new RegExp(pattern, `g${pattern.flags}`))) {
      if (value === undefined) return what;
      if (PLACEHOLDER.test(value)) continue;
      if (isMixed(value) || (isAddress !== undefined && !PLAIN_PASSWORD.test(value))) return what;
    }
  }
  return undefined;
}

/** Passwords that examples use for a database on the same machine. */
const PLAIN_PASSWORD = /^(?:pass(?:word|wd)?|pwd|pw|root|admin|user|postgres|mysql|guest|\w+_password|\*+|\.+)$/i;

/** A plain word is not a password: a password mixes letters and digits, or has many different characters. */
function isMixed(value: string): boolean {
  return (/\d/.test(value) && /[a-z]/i.test(value)) || new Set(value).size > 14;
}
