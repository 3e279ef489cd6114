/** Repeats an asynchronous function while it fails, up to `times` calls in all, then throws its last error. */
export async function retry(action, { times, isWorthIt = () => true }) {
  for (let left = times - 1; ; left--) {
    try {
      return await action();
    } catch (error) {
      if (left <= 0 || !isWorthIt(error)) throw error;
    }
  }
}
