/**
 * Gives all callers in one tick of the event loop the same answer, which is requested at the end of
 * that tick. They continue in the next tick, in the order of their calls.
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
