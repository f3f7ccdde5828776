import { createHmac } from "node:crypto";
import type { PersonId } from "../ids.ts";

/** Names a post or a comment by its name in its source. */
export type DeriveGuid = (personId: PersonId, source: string) => string;

/**
 * The same record imported by the same person has the same Guid, so that it is stored once,
 * however often an import is begun anew. The key keeps others from knowing the Guid beforehand
 * and taking it. The Guid in an archive is not used: nothing proves that it is the person's.
 * @param secretKey 32 bytes
 */
export function createDeriveGuid(secretKey: Uint8Array): DeriveGuid {
  return (personId, source) =>
    createHmac("sha256", secretKey)
      .update(`import ${personId} ${source}`)
      .digest("hex")
      .slice(0, 32);
}
