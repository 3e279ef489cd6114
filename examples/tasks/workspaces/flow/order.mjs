/** An order in which everything comes after what it needs: { app: ["lib"], lib: [] } is ["lib", "app"]. */
export function orderOf(needs) {
  return Object.keys(needs).sort((a, b) => needs[a].length - needs[b].length);
}
