/** @returns a function that calls `make` at its first call, and gives the same value from then on */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
