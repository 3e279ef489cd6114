/** A complete agent: how its program is started, and what one line of its output means. It needs no import. */
export const agent = {
  id: "parrot",
  title: "Parrot",
  binaries: ["parrot"],
  terminal: true, // the output ends with a record of the outcome

  command(task) {
    const args = ["--json", ...(task.model === undefined ? [] : ["--model", task.model])];
    return { args: [...args, ...(task.extraArgs ?? [])], stdin: task.prompt };
  },

  /** Called once per run; the state of a run lives here. */
  open() {
    const commands = new Map();
    return {
      push(line) {
        switch (line.kind) {
          case "hello":
            return [{ type: "session", sessionId: line.session, model: line.model }];
          case "heartbeat":
            return null; // dropped on purpose; an empty list would count as an oversight
          case "says":
            return [{ type: "message", role: "assistant", text: line.text }];
          case "runs": {
            commands.set(line.id, line.command);
            const operations = [{ kind: "command", command: line.command }];
            return [{ type: "tool-start", callId: line.id, tool: "shell", input: { command: line.command }, operations }];
          }
          case "ran":
            if (!commands.delete(line.id)) return [{ type: "unknown", raw: line }];
            return [{ type: "tool-end", callId: line.id, success: line.code === 0, exitCode: line.code, output: line.output }];
          case "bye":
            return [
              { type: "usage", scope: "total", tokens: { input: line.read, output: line.wrote } },
              { type: "result", outcome: line.ok ? "completed" : "failed", text: line.text },
            ];
          default:
            return [{ type: "unknown", raw: line }];
        }
      },
      end: () => [],
    };
  },
};
