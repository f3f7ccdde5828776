import type { ImportItem } from "./import-item.ts";

/** An opened archive or file of another program. */
export type Source = {
  /** Its records, each time from the first one. A post comes before the replies to it. */
  readonly items: () => AsyncIterable<ImportItem>;
  /** The file of a picture on this machine. */
  readonly fileOf: (name: string) => string | undefined;
};
