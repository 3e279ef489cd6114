/** The last `cap` characters of text that arrives in pieces. Amortised O(1) per character. */
export function textTail(cap: number) {
  let pieces: string[] = [];
  let length = 0;

  return {
    add(piece: string): void {
      pieces.push(piece);
      length += piece.length;
      if (length <= 2 * cap) return;
      const kept = pieces.join("").slice(-cap);
      pieces = [kept];
      length = kept.length;
    },
    text: (): string => pieces.join("").slice(-cap),
  };
}
