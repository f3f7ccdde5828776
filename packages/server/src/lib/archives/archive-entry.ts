import type { Readable } from "node:stream";
import { KithError } from "../errors.ts";

/** A plain file of an archive. Its stream must be read before the next one. */
export type ArchiveEntry = { readonly name: string; readonly stream: Readable };

/** Refuses an archive for what it holds. */
export function refuse(reason: string): KithError {
  return new KithError("bad_request", `The archive ${reason}.`);
}
