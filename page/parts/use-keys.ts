import { useEffect, useRef } from "preact/hooks";

/** Answers to keys, wherever one is. What is called is always the newest: effects may be late, and keys are fast. */
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
