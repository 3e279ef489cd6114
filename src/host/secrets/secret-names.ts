import type { McpServer } from "../../pure/pipeline/index.ts";

/** A value that must not be shown, and the variable, header or argument that it comes from. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** A variable is a secret if its name contains one of these, in any case. */
export const SECRET_WORDS = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL"] as const;

/** A variable is a secret if its name ends with one of these, in any case. */
export const SECRET_ENDINGS = ["_PASS", "_PWD", "_PAT", "_DSN"] as const;

const SECRET_NAME = new RegExp(`${SECRET_WORDS.join("|")}|.(?:${SECRET_ENDINGS.join("|")})$`, "i");

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** The variables that hold secrets: by their name, because their value is a URL with a password, or listed in `extra`. Sorted and distinct. */
export function secretNames(env: NodeJS.ProcessEnv, extra: readonly string[]): string[] {
  const named = Object.keys(env).filter((name) => isSecretName(name) || passwordsIn(env[name] ?? "").length > 0);
  return [...new Set([...named, ...extra])].sort();
}

/** The values of these variables, and the passwords in them if they are URLs. */
export function secretValues(env: NodeJS.ProcessEnv, names: readonly string[]): Secret[] {
  return names.flatMap((name) => valuesIn(name, env[name] ?? ""));
}

function valuesIn(name: string, value: string): Secret[] {
  return [value, ...passwordsIn(value)].filter((each) => each !== "").map((each) => ({ name, value: each }));
}

/** The passwords of the URLs in a text, as written and decoded. */
function passwordsIn(text: string): string[] {
  const found = text.matchAll(/\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*:([^\s/?#@]+)@/gi);
  return Array.from(found, ([, password = ""]) => password).flatMap((password) => [...new Set([password, decoded(password)])]);
}

/** The secrets of an MCP server: variables and arguments with a telltale name, every header, the part of a header after `Bearer`, and keys in URLs. */
export function mcpSecrets(server: McpServer): readonly Secret[] {
  const name = `mcp ${server.name}`;
  if ("command" in server) {
    const variables = secretValues(server.env, secretNames(server.env, [])).map((each) => ({ ...each, name: `${name} ${each.name}` }));
    return [...variables, ...argumentSecrets(server.args, name)];
  }
  const headers = Object.entries(server.headers).flatMap(([key, value]) => {
    const credentials = /^\w+ +(\S+)$/.exec(value)?.[1];
    return [value, ...(credentials === undefined ? [] : [credentials])].map((each) => ({ name: `${name} ${key}`, value: each }));
  });
  return [...headers, ...urlSecrets(server.url, name)].filter(({ value }) => value !== "");
}

/** `--api-key value`, `--api-key=value`, `NAME_TOKEN=value`, and URLs with a password or a key. */
function argumentSecrets(args: readonly string[], owner: string): Secret[] {
  return args.flatMap((arg, index) => {
    const [, name = "", value] = /^-*([\w.-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const given = value ?? (arg.startsWith("-") ? args[index + 1] : undefined);
    const named =
      given !== undefined && given !== "" && isSecretName(name.replaceAll("-", "_")) ? [{ name: `${owner} ${name}`, value: given }] : [];
    return [...named, ...urlSecrets(arg, owner)];
  });
}

/** The passwords and keys in the URLs of a text. */
function urlSecrets(text: string, owner: string): Secret[] {
  const keys = Array.from(text.matchAll(/[?&#]([\w.-]+)=([^&#\s]+)/g), ([, name = "", value = ""]) => ({ name, value }))
    .filter(({ name }) => isSecretName(name.replaceAll("-", "_")))
    .flatMap(({ name, value }) => [...new Set([value, decoded(value)])].map((each) => ({ name: `${owner} ${name}`, value: each })));
  return [...passwordsIn(text).map((value) => ({ name: `${owner} url`, value })), ...keys];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
