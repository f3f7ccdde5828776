import type { ImportItem } from "./import-item.ts";

/** The account elsewhere of which an archive is. */
export type OldAccount = {
  readonly handle: string;
  /** As the archive has it; it is neither stored nor logged. */
  readonly privateKeyPem: string;
};

/** An opened archive or file of another program. */
export type Source = {
  /** Its records, each time from the first one. A post comes before the replies to it. */
  readonly items: () => AsyncIterable<ImportItem>;
  /** The account of the archive, if it has its private key. */
  readonly findOldAccount?: () => Promise<OldAccount | undefined>;
  /** The file of a picture on this machine. */
  readonly fileOf: (name: string) => string | undefined;
};
