/** An order in which every name comes after its needs: { app: ["lib"], lib: [] } is ["lib", "app"]. */
export function orderOf(needs) {
  return Object.keys(needs).sort((a, b) => needs[a].length - needs[b].length);
}
