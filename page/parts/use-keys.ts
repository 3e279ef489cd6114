import { useEffect, useRef } from "preact/hooks";

/** Handles keys anywhere on the page. Always calls the newest handler: an effect could run after the next key. */
export function useKeys(pressed: (event: KeyboardEvent) => void): void {
  const newest = useRef(pressed);
  newest.current = pressed;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => newest.current(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
