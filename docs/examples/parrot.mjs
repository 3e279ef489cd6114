/** An agent of one's own: how a program is started, and what one line of its output means. It needs no import. */
export const agent = {
  id: "parrot",
  title: "Parrot",
  binaries: ["parrot"],
  terminal: true, // its output ends with a record that says how the run went

  command(task) {
    const args = ["--json", ...(task.model === undefined ? [] : ["--model", task.model])];
    return { args: [...args, ...(task.extraArgs ?? [])], stdin: task.prompt };
  },

  /** Called once for each run; what a run has to remember is kept here. */
  open() {
    const commands = new Map();
    return {
      push(line) {
        switch (line.kind) {
          case "hello":
            return [{ type: "session", sessionId: line.session, model: line.model }];
          case "heartbeat":
            return null; // read, and dropped on purpose; an empty list would be taken for an oversight
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
