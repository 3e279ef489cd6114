/** Runs tasks (functions that return promises), at most `limit` at a time, and returns their results. */
export async function pool(tasks, limit) {
  return Promise.all(tasks.map((task) => task(limit)));
}
