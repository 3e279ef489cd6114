/** Whether what an agent is called is the name of a file: it has a separator in it, or ends as modules and schemas do. */
export function isAgentFile(name: string): boolean {
  return /[/\\]/.test(name) || /\.(?:[cm]?[jt]s|json)$/i.test(name);
}

/** An agent's name becomes part of commands, tables and file names: letters, digits, dots, dashes and underscores, and not too many. */
export function isAgentId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id);
}
