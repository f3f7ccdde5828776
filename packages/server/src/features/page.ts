/** Which part of a list: `offset` counts records. */
export type Page = { readonly offset: number; readonly limit: number };
