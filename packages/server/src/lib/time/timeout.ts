/**
 * Limits the wait for work. The work itself continues: its result is there the next time.
 * @returns undefined if it takes longer
 */
export async function withTimeout<T>(
  work: Promise<T | undefined>,
  patienceMs: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
