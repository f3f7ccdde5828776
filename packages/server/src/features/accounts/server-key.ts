import { createPrivateKey, type KeyObject } from "node:crypto";
import type { Db } from "../../db/db.ts";
import { findServerKey, insertServerKey } from "./account-store.ts";
import type { Credentials } from "./credentials.ts";

/** The key of the server as such. */
export type ServerKey = {
  readonly privateKey: KeyObject;
  /** SPKI. */
  readonly publicPem: string;
};

/** Two processes may make one at the same time; the first that is stored counts for both. */
export async function getServerKey({
  db,
  credentials,
}: {
  readonly db: Db;
  readonly credentials: Credentials;
}): Promise<ServerKey> {
  let stored = await findServerKey(db.read);
  if (!stored) {
    const { rsaPrivatePem, rsaPublicPem } = await credentials.makeKeyPairs();
    stored = await db.transaction(async (tx) => {
      await insertServerKey(tx, rsaPrivatePem, rsaPublicPem);
      return findServerKey(tx);
    });
  }
  if (!stored) throw new Error("The server's key cannot be read");
  const { privatePem, publicPem } = stored;
  return { privateKey: createPrivateKey(privatePem), publicPem };
}
