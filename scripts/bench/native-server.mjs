// Serves one long Chat Completions answer as fast as it is read. Prints its port.
import { createServer } from "node:http";

const [size, piece] = process.argv.slice(2).map(Number);
const content = "The quick brown fox jumps over the lazy dog. ".repeat(Math.ceil(piece / 45)).slice(0, piece);
const one = frame({ content });
const block = one.repeat(Math.ceil(65536 / one.length));

createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "text/event-stream" });
  let sent = 0;
  function send() {
    while (sent < size) {
      sent += block.length;
      if (response.write(block)) continue;
      response.once("drain", send);
      return;
    }
    response.end(`${frame({}, "stop")}data: [DONE]\n\n`);
  }
  send();
}).listen(0, "127.0.0.1", function listening() {
  console.log(this.address().port);
});

function frame(delta, finish = null) {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
}
