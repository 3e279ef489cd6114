/** `1 tool call`, `1,200 tool calls`; with another form where it is not an `s` that is missing: `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
