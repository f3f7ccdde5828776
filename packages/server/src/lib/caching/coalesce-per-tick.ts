/**
 * Gives all who ask in one turn of the event loop the same answer, which is asked for
 * at the end of that turn. Whoever waits for it goes on in the next one, in the order in
 * which they asked.
 */
export function coalescePerTick<T>(
  ask: () => T | Promise<T>,
): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () =>
    (asked ??= new Promise<T>((resolve) => {
      setImmediate(() => {
        asked = undefined;
        resolve(ask());
      });
    }));
}
