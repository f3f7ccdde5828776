/** 2 s, 4 s, 8 s … to an hour, give or take a fifth, so that failures do not march in step. */
export function backOffMs(attempts: number): number {
  const ms = Math.min(2 ** attempts * 1000, 3_600_000);
  return ms * (0.8 + Math.random() * 0.4);
}
