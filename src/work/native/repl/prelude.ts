/**
 * The globals of a program. `host(name, json)` is the only way out and is removed from the global object before any program runs. This
 * closure keeps its own references, so a program that changes `JSON` or `Array` harms only itself.
 */
export const PRELUDE = `(() => {
  const { host } = globalThis;
  delete globalThis.host;
  const { parse, stringify } = JSON;
  const { isArray } = Array;
  const textOf = (value) => {
    if (typeof value === "string") return value;
    if (typeof value === "function") return "[function]";
    if (value instanceof Error) return value.name + ": " + value.message;
    try {
      const text = stringify(value, (_, one) => (typeof one === "bigint" ? one + "n" : typeof one === "function" ? "[function]" : one));
      return text === undefined ? String(value) : text;
    } catch {
      return String(value);
    }
  };
  const ask = (what, more) => {
    const reply = parse(host("ask", stringify({ what, ...more })));
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.value;
  };
  const say = (stream) => (...values) => void host("print", stringify({ stream, chunk: values.map(textOf).join(" ") + "\\n" }));
  const print = say("stdout");
  const given = {
    print,
    console: { log: print, info: print, debug: print, warn: say("stderr"), error: say("stderr") },
    llm_query(prompt) {
      const answers = ask("llm_query", { prompts: (isArray(prompt) ? prompt : [prompt]).map(textOf) });
      return isArray(prompt) ? answers : answers[0];
    },
    sub_rlm: (prompt, context) => ask("sub_rlm", { prompt: textOf(prompt), context: context === undefined ? null : context }),
    exec: (command) => ask("exec", { command: textOf(command) }),
    FINAL: (value) => void host("final", stringify({ final: textOf(value) })),
    FINAL_VAR(name) {
      if (typeof name === "string" && /^[A-Za-z_$][\\w$]*$/.test(name)) return given.FINAL((0, eval)(name));
      throw new Error("FINAL_VAR takes the name of a variable as a string; FINAL takes a value.");
    },
  };
  for (const name of Object.keys(given)) Object.defineProperty(globalThis, name, { value: given[name], writable: true, configurable: true });
  globalThis.context = parse(host("context", ""));
})()`;
