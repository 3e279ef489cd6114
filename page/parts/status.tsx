export function toneOf(status: string | null): "live" | "good" | "bad" | "warn" | "none" {
  if (status === "running") return "live";
  if (status === "completed") return "good";
  if (status === "failed" || status === "crashed" || status === "damaged" || status === "infrastructure") return "bad";
  if (status === "blocked" || status === "timed_out" || status === "hung" || status === "canceled" || status === "unfinished")
    return "warn";
  return "none";
}

export function Status({ status }: { readonly status: string | null }) {
  return <span class={`status ${toneOf(status)}`}>{status === null ? "unknown" : status.replace("_", " ")}</span>;
}
