// Asks the model at $MODEL until it says "Done", and does what it says: "write <file> <text>". For "twins" it asks two questions at the
// same time that are equal in everything, and then reports both answers, in the order of the questions.
import { writeFileSync } from "node:fs";
import { request } from "node:http";

async function ask(messages) {
  const response = await fetch(`${process.env.MODEL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", messages, metadata: { now: new Date().toISOString(), id: crypto.randomUUID() } }),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()).choices[0].message.content;
}

/** Two equal questions: the second is sent when the first has left, and before it has an answer. */
async function inOrder(messages) {
  const answers = [];
  for (let i = 0; i < 2; i++) {
    let left = () => {};
    const sent = new Promise((resolve) => {
      left = resolve;
    });
    answers.push(asked(messages, left));
    await sent;
  }
  return answers;
}

function asked(messages, left) {
  return new Promise((resolve, reject) => {
    const asking = request(`${process.env.MODEL}/v1/chat/completions`, { method: "POST" }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve(JSON.parse(text).choices[0].message.content);
    });
    asking
      .on("error", reject)
      .on("finish", left)
      .end(JSON.stringify({ model: "scripted", messages }));
  });
}

const task = process.argv.at(-1) ?? "";
const messages = [{ role: "user", content: `${task}${process.env.MORE ?? ""} in ${process.cwd()}` }];
if (task.includes("twins")) {
  const answers = await Promise.all(await inOrder([{ role: "user", content: "Twin." }]));
  messages.push({ role: "user", content: answers.join(" then ") });
}
for (let i = 0; i < 10; i++) {
  const text = await ask(messages);
  console.log(text);
  const [, file, contents] = /^write (\S+) (.*)$/.exec(text) ?? [];
  if (file !== undefined) writeFileSync(file, `${contents}\n`);
  if (text.startsWith("Done")) break;
  messages.push({ role: "assistant", content: text }, { role: "user", content: i === 1 ? `Next${process.env.LATER ?? ""}.` : "Next." });
}
