export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return "just now";
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(hours / 24);
  return days < 14 ? `${days} d ago` : new Date(at).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

export function moment(at: number): string {
  return new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
}
