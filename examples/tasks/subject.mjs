// A process that asks a module of the workspace a question. It receives the question as text and answers with data.
const send = process.send.bind(process);

process.once("message", async ({ url, question, args }) => {
  try {
    const { ask } = await import(`data:text/javascript,export const ask = ${encodeURIComponent(question)}`);
    send({ value: await ask(await import(url), ...args) }, () => process.exit(0));
  } catch (error) {
    send({ error: String(error?.message ?? error) }, () => process.exit(0));
  }
});
