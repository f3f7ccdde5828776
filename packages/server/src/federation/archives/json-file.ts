/** The first characters of a JSON file, by which it is known, and the file. */
export type JsonFile = { readonly head: string; readonly file: string };
