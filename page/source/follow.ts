import { AskError, ask } from "./ask.ts";

const AGAIN_MS = 1000;

/** Listens to server-sent events. If the server goes away, it connects again every second; after a rejected token it stops, because a new one reloads the page. */
export function follow<T>(
  path: string,
  onNews: (news: T) => void,
  connected: (isConnected: boolean) => void,
  isLast: (news: T) => boolean,
): () => void {
  const left = new AbortController();

  async function listen(): Promise<void> {
    while (!left.signal.aborted) {
      try {
        if (await read()) return;
      } catch (error) {
        if (left.signal.aborted) return;
        connected(false);
        if (error instanceof AskError && error.status === 401) return;
      }
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** Whether the last news has arrived. `EventSource` cannot send a header. */
  async function read(): Promise<boolean> {
    const { body } = await ask(path, left.signal);
    connected(true);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value = "" } = (await reader?.read()) ?? { done: true };
      if (done) break;
      const messages = `${text}${value}`.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        if (!message.startsWith("data: ")) continue;
        const news = JSON.parse(message.slice("data: ".length)) as T;
        onNews(news);
        if (isLast(news)) {
          left.abort();
          return true;
        }
      }
    }
    connected(false);
    return false;
  }

  void listen();
  return () => left.abort();
}
