import type { Database } from "../../db/schema/schema.ts";
import type { SignedIn } from "../accounts/index.ts";

/** A file of an export. Content too large for memory states its size in advance. */
export type ExportFile = {
  /** Relative, with `/` as the separator. */
  readonly path: string;
  readonly content:
    | string
    | Uint8Array
    | { readonly size: number; readonly chunks: AsyncIterable<Uint8Array> };
};

/** Exports the stored data of one user. */
export type Exporter = {
  /**
   * The tables that it exports. Each table that refers to people is listed by one exporter,
   * or is exempt for a reason.
   */
  readonly tables: readonly (keyof Database)[];
  readonly files: (user: SignedIn) => AsyncIterable<ExportFile>;
};

/** A record, and the key after which the next batch starts. */
export type Keyed = { readonly key: number; readonly record: object };

const RECORDS_PER_FILE = 500;

export function toFile(name: string, value: unknown): ExportFile {
  return {
    path: `${name}.json`,
    content: `${JSON.stringify(value, null, 2)}\n`,
  };
}

/**
 * Streams any number of records as `name.json`, `name-2.json` and so on, with at most one
 * file's records in memory.
 * @param list some records after a key, by key, at most `limit`
 */
export async function* toFiles(
  name: string,
  list: (afterKey: number, limit: number) => Promise<readonly Keyed[]>,
): AsyncGenerator<ExportFile, void, undefined> {
  let afterKey = 0;
  for (let number = 1; ; number += 1) {
    const batch = await list(afterKey, RECORDS_PER_FILE);
    const last = batch.at(-1);
    if (number === 1 || last)
      yield toFile(
        number === 1 ? name : `${name}-${number}`,
        batch.map(({ record }) => record),
      );
    if (!last || batch.length < RECORDS_PER_FILE) return;
    afterKey = last.key;
  }
}
