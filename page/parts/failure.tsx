import { hrefOf } from "../router.ts";
import { AskError } from "../source/index.ts";
import { Notice } from "./notice.tsx";

export function Failure({ error }: { readonly error: unknown }) {
  const status = error instanceof AskError ? error.status : -1;
  const again = { label: "Try again", act: () => location.reload() };
  if (status === 401) {
    return (
      <Notice title="You need the address with the token" code="harness view">
        Open the address that harness view printed. Its token gives access while that server runs. If you no longer have it, start it again:
      </Notice>
    );
  }
  if (status === 0) {
    return (
      <Notice title="The server does not answer" code="harness view" next={again}>
        It is not running on this port. Start it again and open its address; this page then continues by itself:
      </Notice>
    );
  }
  if (status === 404) {
    return (
      <Notice title="Run not found" next={{ label: "All runs", href: hrefOf("runs") }}>
        {(error as AskError).message}
      </Notice>
    );
  }
  return (
    <Notice title="Something went wrong" next={again}>
      {error instanceof Error ? error.message : String(error)}
    </Notice>
  );
}
