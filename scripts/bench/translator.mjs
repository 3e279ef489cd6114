// Runs one agent's translator over a file, from bytes to events, with a view that only counts them.
// Usage: node translator.mjs <url of the library> <file> <passes> <agent>
import { writeSync } from "node:fs";
import { bestOf } from "./best-of.mjs";

const [, , library, file, passes, agent] = process.argv;
const { derive } = await import(library);

let events = 0;
const nothing = [];
const counting = {
  id: "counting",
  title: "Number of events",
  open: () => ({
    push() {
      events++;
      return nothing;
    },
    end: () => nothing,
  }),
};
const best = await bestOf(Number(passes), async () => {
  events = 0;
  for await (const _ of derive(file, { agent, view: counting, cwd: "/workspace" }).batches());
});

if (events === 0) throw new Error("there were no events");
writeSync(3, JSON.stringify({ ...best, events }));
