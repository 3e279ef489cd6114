/** A compressed, base64-encoded block of an exported file. */
export function blockOf(name: string): HTMLElement | undefined {
  return document.querySelector<HTMLElement>(`script[data-block="${name}"]`) ?? undefined;
}

/** The offset of the block in its stream. */
export function baseOf(name: string): number {
  return Number(blockOf(name)?.dataset["base"] ?? 0);
}

/** The decoded bytes. The element is emptied, so that they are not in memory twice. */
export async function readBlock(name: string): Promise<Uint8Array> {
  const element = blockOf(name);
  const lines = element?.textContent?.split("\n") ?? [];
  element?.replaceChildren();
  const unzipped = new DecompressionStream("gzip");
  const writer = unzipped.writable.getWriter();
  const feed = (async () => {
    for (const line of lines) if (line !== "") await writer.write(Uint8Array.from(atob(line), (character) => character.charCodeAt(0)));
    await writer.close();
  })();
  const [bytes] = await Promise.all([new Response(unzipped.readable).arrayBuffer(), feed]);
  return new Uint8Array(bytes);
}
