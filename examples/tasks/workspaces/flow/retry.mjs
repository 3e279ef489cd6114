/** Calls an asynchronous function again while it fails, up to so many times in all. */
export async function retry(action, { times, isWorthIt = () => true }) {
  for (let i = 0; i < times; i++) {
    try {
      return action();
    } catch (error) {
      if (isWorthIt(error)) continue;
    }
  }
}
