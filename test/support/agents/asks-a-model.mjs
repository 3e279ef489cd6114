// Asks the model at $MODEL, as many times as the prompt says, and prints the statuses. With "and stays" it then waits.
const prompt = process.argv.at(-1) ?? "";
const [times = "1"] = /\d+/.exec(prompt) ?? [];
const messages = [];
for (let i = 0; i < Number(times); i++) {
  messages.push({ role: "user", content: `Question ${i} [[demo]]. My key is ${process.env.A_TOKEN ?? "none"}.` });
  const response = await fetch(`${process.env.MODEL}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${process.env.X_API_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "scripted", stream: true, messages }),
  });
  const text = await response.text();
  messages.push({ role: "assistant", content: "An answer." });
  console.log(`${response.status} ${text.length > 0}`);
}
if (prompt.includes("and stays")) setInterval(() => {}, 1000);
