/** No key, and too short for a secret: nothing of the recordings is masked because of it. */
export const KEY = "dummy";
