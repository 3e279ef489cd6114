/** Repeats an asynchronous function while it fails, up to `times` calls in all. */
export async function retry(action, { times, isWorthIt = () => true }) {
  for (let i = 0; i < times; i++) {
    try {
      return action();
    } catch (error) {
      if (isWorthIt(error)) continue;
    }
  }
}
