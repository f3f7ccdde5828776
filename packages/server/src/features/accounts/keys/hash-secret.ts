import { createHash } from "node:crypto";

/** Secrets are stored as hashes, so that a reader of the database cannot use them. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
