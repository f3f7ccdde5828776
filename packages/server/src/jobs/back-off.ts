/**
 * Exponential back-off with jitter: 2 s, 4 s, 8 s … up to an hour, plus or
 * minus a fifth, so that failed jobs do not retry at the same moment.
 */
export function backOffMs(attempts: number): number {
  const ms = Math.min(2 ** attempts * 1000, 3_600_000);
  return ms * (0.8 + Math.random() * 0.4);
}
