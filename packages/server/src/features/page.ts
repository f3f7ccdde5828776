/** A slice of a list: `offset` counts records. */
export type Page = { readonly offset: number; readonly limit: number };
