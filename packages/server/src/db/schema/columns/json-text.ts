/** JSON in a column of text. `storeJson` alone makes one, so what was put in comes out again. */
export type JsonText<T> = string & { readonly holds: T };

export function storeJson<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>;
}

export function loadJson<T>(text: JsonText<T>): T {
  return JSON.parse(text) as T;
}
