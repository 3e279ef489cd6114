/** Runs tasks (functions that return promises), at most `limit` at a time, and returns their results in order. */
export async function pool(tasks, limit) {
  const results = [];
  let next = 0;
  let hasFailed = false;
  const worker = async () => {
    while (next < tasks.length && !hasFailed) {
      const index = next++;
      try {
        results[index] = await tasks[index]();
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, tasks.length) }, worker));
  return results;
}
