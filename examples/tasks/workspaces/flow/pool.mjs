/** The results of all tasks (functions that give promises), at most `limit` of them at a time. */
export async function pool(tasks, limit) {
  return Promise.all(tasks.map((task) => task(limit)));
}
