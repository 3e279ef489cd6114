// Reads an access log from standard input: `<ip> <method> <path> <status> <milliseconds>` per line; ignores other lines.
let text = "";
for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;

const statuses = {};
const paths = new Map();
let [requests, slowest] = [0, 0];
for (const [, path, status, ms] of text.matchAll(/^\S+ \S+ (\S+) (\d{3}) (\d+)$/gm)) {
  requests++;
  slowest = Math.max(slowest, Number(ms));
  statuses[status] = (statuses[status] ?? 0) + 1;
  paths.set(path, (paths.get(path) ?? 0) + 1);
}
const busiest = [...paths].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0] ?? null;
console.log(JSON.stringify({ requests, statuses, busiest, slowest }));
