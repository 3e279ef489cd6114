import { AskError, ask } from "./ask.ts";

/** Listens to server-sent events. If the server goes away, the browser reconnects every second. */
export function follow<T>(
  path: string,
  onNews: (news: T) => void,
  connected: (isConnected: boolean) => void,
  isLast: (news: T) => boolean,
) {
  const source = new EventSource(path);
  source.onopen = () => connected(true);
  source.onerror = () => {
    connected(false);
    if (source.readyState === EventSource.CLOSED) void again();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stop = () => source.close();
  source.onmessage = ({ data }) => {
    const news = JSON.parse(data) as T;
    if (isLast(news)) source.close();
    onNews(news);
  };

  /** A rejection closes the stream for good, so we retry ourselves. */
  async function again(): Promise<void> {
    try {
      await ask("/api/runs?limit=1");
    } catch (error) {
      if (error instanceof AskError && error.status === 401) return;
    }
    timer = setTimeout(() => {
      stop = follow(path, onNews, connected, isLast);
    }, 1000);
  }

  return () => {
    clearTimeout(timer);
    source.close();
    stop();
  };
}
