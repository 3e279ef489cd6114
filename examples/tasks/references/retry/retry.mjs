/** Calls an asynchronous function again while it fails, up to so many times in all; then its last error is thrown. */
export async function retry(action, { times, isWorthIt = () => true }) {
  for (let left = times - 1; ; left--) {
    try {
      return await action();
    } catch (error) {
      if (left <= 0 || !isWorthIt(error)) throw error;
    }
  }
}
