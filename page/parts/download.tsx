import { useState } from "preact/hooks";
import { ask } from "../source/index.ts";

interface Props {
  readonly path: string;
  readonly name: string;
  readonly class?: string;
  readonly children: string;
}

/** Saves a response of the server. A link could not send the token. */
export function Download({ path, name, class: style = "link", children }: Props) {
  const [problem, setProblem] = useState("");
  const get = async () => {
    setProblem("");
    try {
      save(name, await (await ask(path)).blob());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <button type="button" class={style} onClick={() => void get()}>
        {children}
      </button>
      {problem !== "" && (
        <span class="problem error" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}

export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
