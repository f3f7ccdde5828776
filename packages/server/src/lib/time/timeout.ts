/**
 * Waits for work of which somebody expects an answer. The work itself goes on:
 * the next time, what it found is there.
 * @returns undefined where it takes longer
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
