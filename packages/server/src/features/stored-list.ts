/** A list as a column keeps it: JSON, or null where it is empty, as it nearly always is. */
export function storeList(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list);
}

export function loadList<T>(stored: string | null): readonly T[] {
  return stored === null ? NONE : (JSON.parse(stored) as T[]);
}

const NONE: readonly never[] = Object.freeze([]);
