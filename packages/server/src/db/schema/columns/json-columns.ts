import type { ColumnType } from "kysely";
import type { JsonText } from "./json-text.ts";

/** JSON in a column of text; null where there is none. */
export type OptionalJson<T> = ColumnType<
  JsonText<T> | null,
  JsonText<T> | null | undefined,
  JsonText<T> | null
>;
export type Emojis = OptionalJson<
  readonly { readonly shortcode: string; readonly url: string }[]
>;
