import type { Write } from "./usage.ts";

const EVERY_MS = 2_000;

/** Shows every now and then how far something long is; at once it says nothing. */
export function showProgress(write: Write): Write {
  let shownAtMs = performance.now();
  return (line) => {
    const nowMs = performance.now();
    if (nowMs - shownAtMs < EVERY_MS) return;
    shownAtMs = nowMs;
    write(line);
  };
}
