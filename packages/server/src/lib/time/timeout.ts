/**
 * Limits the wait for work. The work itself continues: its result is there the next time.
 * @returns undefined if it takes longer
 */
export async function withTimeout<T>(
  work: Promise<T | undefined>,
  timeoutMs: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
