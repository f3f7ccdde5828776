import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { UserId } from "../ids.ts";

/**
 * Places in the sequence of changes, for clients to continue from. Encrypted with a key of
 * this process, each time anew: numbers would tell how much happens that the viewer may not
 * see.
 */
export type Cursors = ReturnType<typeof createCursors>;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const PLACE_BYTES = 6;
const TAG_BYTES = 16;
const LENGTH = NONCE_BYTES + PLACE_BYTES + TAG_BYTES;

export function createCursors() {
  const key = randomBytes(32);
  return {
    seal: (place: number, userId: UserId): string => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      cipher.setAAD(Buffer.from(String(userId)));
      const plain = Buffer.alloc(PLACE_BYTES);
      plain.writeUIntBE(place, 0, PLACE_BYTES);
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      const all = Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
      return all.toString("base64url");
    },
    /** @returns undefined for a cursor of another process or user, or none at all */
    open: (cursor: string, userId: UserId): number | undefined => {
      const all = Buffer.from(cursor, "base64url");
      if (all.length !== LENGTH) return undefined;
      const decipher = createDecipheriv(
        CIPHER,
        key,
        all.subarray(0, NONCE_BYTES),
        { authTagLength: TAG_BYTES },
      );
      decipher.setAAD(Buffer.from(String(userId)));
      decipher.setAuthTag(all.subarray(-TAG_BYTES));
      try {
        const plain = Buffer.concat([
          decipher.update(all.subarray(NONCE_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]);
        return plain.readUIntBE(0, PLACE_BYTES);
      } catch {
        return undefined;
      }
    },
  };
}
