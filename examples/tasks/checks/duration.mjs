import assert from "node:assert/strict";

export async function check({ ask }) {
  const texts = ["1h30m", "90s", "250ms", "2d", "1m5ms", "0s", "", "5", "1x", "30m1h", "-1s", "1h 30m"];
  const parsed = await ask(
    "duration.mjs",
    ({ parseDuration }, all) =>
      all.map((text) => {
        try {
          return parseDuration(text);
        } catch (error) {
          return error.name;
        }
      }),
    texts,
  );
  assert.deepEqual(parsed, [5_400_000, 90_000, 250, 172_800_000, 60_005, 0, ...Array(6).fill("SyntaxError")]);
}
