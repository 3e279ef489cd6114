/** A part of an exported file: compressed, in lines of base64. */
export function blockOf(name: string): HTMLElement | undefined {
  return document.querySelector<HTMLElement>(`script[data-block="${name}"]`) ?? undefined;
}

/** Where its bytes begin in the stream that they are of. */
export function baseOf(name: string): number {
  return Number(blockOf(name)?.dataset["base"] ?? 0);
}

/** Its bytes. What was read is not kept twice. */
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
