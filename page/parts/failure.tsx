import { hrefOf } from "../router.ts";
import { AskError } from "../source/index.ts";
import { Notice } from "./notice.tsx";

/** What could not be had, and what helps. */
export function Failure({ error }: { readonly error: unknown }) {
  const status = error instanceof AskError ? error.status : -1;
  const again = { words: "Try again", act: () => location.reload() };
  if (status === 401) {
    return (
      <Notice title="This page does not know you" code="harness view">
        Open the address that harness view has printed: it holds a token that lets you in for half a day. If it is gone, start it again:
      </Notice>
    );
  }
  if (status === 0) {
    return (
      <Notice title="The server is not there" code="harness view" next={again}>
        It was stopped, or never started on this port. Start it again and this page goes on by itself:
      </Notice>
    );
  }
  if (status === 404) {
    return (
      <Notice title="There is no such run" next={{ words: "All runs", href: hrefOf("runs") }}>
        {(error as AskError).message}
      </Notice>
    );
  }
  return (
    <Notice title="That did not work" next={again}>
      {error instanceof Error ? error.message : String(error)}
    </Notice>
  );
}
