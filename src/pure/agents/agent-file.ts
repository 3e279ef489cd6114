/** Whether an agent's name is a file name: it contains a separator or ends like a module or a schema. */
export function isAgentFile(name: string): boolean {
  return /[/\\]/.test(name) || /\.(?:[cm]?[jt]s|json)$/i.test(name);
}

/** Agent names appear in commands, tables and file names, so only letters, digits, dots, dashes and underscores are allowed, up to 64. */
export function isAgentId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(id);
}
