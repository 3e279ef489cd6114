import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a judge's endpoint receives. */
export interface JudgeCall {
  /** The number of the request, from 1. */
  readonly number: number;
  readonly prompt: string;
  readonly nonce: string;
  /** The request as it came. */
  readonly body: Buffer;
}

export interface JudgeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged; never answered if undefined. */
  readonly body?: object | string;
}

/** An OpenAI-compatible endpoint on loopback that answers as the test says. */
export async function serveJudge(answer: (call: JudgeCall) => JudgeAnswer) {
  const calls: JudgeCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const prompt: string = JSON.parse(body.toString()).messages[0].content;
      const call = {
        body,
        number: calls.length + 1,
        prompt,
        nonce: /"nonce": "(\w+)"/.exec(prompt.slice(prompt.lastIndexOf("Think it")))?.[1] ?? "",
      };
      calls.push(call);
      const { status = 200, headers = {}, body: answered } = answer(call);
      if (answered === undefined) return;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof answered === "string" ? answered : JSON.stringify(answered));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    url,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A chat completion with this content. */
export function completion(content: unknown, { finish = "stop", ...more }: { finish?: string | null; usage?: object } = {}): JudgeAnswer {
  return { body: { choices: [{ message: { role: "assistant", content }, finish_reason: finish }], ...more } };
}
