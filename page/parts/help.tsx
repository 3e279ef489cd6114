import { useEffect, useRef } from "preact/hooks";

const KEYS: readonly (readonly [string, string])[] = [
  ["↓ j · ↑ k", "next, previous event"],
  ["Enter · o", "open or fold the event"],
  ["g · G", "first, last event"],
  ["/", "search"],
  ["n · N", "next, previous match"],
  ["e · E", "next, previous problem"],
  ["r", "raw bytes of the event"],
  ["space", "play or pause the replay"],
  ["+ · −", "larger, smaller graph"],
  ["?", "this help"],
  ["Esc", "close"],
];

export function Help({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="help" onClose={close} aria-label="Keys">
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">This page only reads your recordings. It changes nothing and sends nothing to other machines.</p>
      <button type="button" class="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
