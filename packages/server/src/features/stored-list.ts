import {
  loadJson,
  storeJson,
  type JsonText,
} from "../db/schema/columns/json-text.ts";

type StoredList<T> = JsonText<readonly T[]>;

/** Converts a list to its column value: JSON, or null if empty, as it nearly always is. */
export function storeList<T>(list: readonly T[]): StoredList<T> | null {
  return list.length === 0 ? null : storeJson(list);
}

export function loadList<T>(stored: StoredList<T> | null): readonly T[] {
  return stored === null ? NONE : loadJson(stored);
}

const NONE: readonly never[] = Object.freeze([]);
