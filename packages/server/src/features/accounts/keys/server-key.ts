import type { KeyObject } from "node:crypto";
import type { Db } from "../../../db/db.ts";
import { SERVER_KEY_NAME } from "../../../db/schema/stored-names.ts";
import type { KeyPairs } from "./key-pairs.ts";
import type { KeySeal } from "./key-seal.ts";
import { findServerKey, insertServerKey } from "./key-store.ts";

/** The server's own key pair. */
export type ServerKey = {
  readonly privateKey: KeyObject;
  /** SPKI. */
  readonly publicPem: string;
};

const OWNER = { server: SERVER_KEY_NAME };

/** Two processes may create one concurrently; the first one stored is used by both. */
export async function getServerKey({
  db,
  credentials,
  keySeal,
}: {
  readonly db: Db;
  readonly credentials: { readonly makeKeyPairs: () => Promise<KeyPairs> };
  readonly keySeal: KeySeal;
}): Promise<ServerKey> {
  let found = await findServerKey(db.read);
  if (!found) {
    const { rsaPrivatePem, rsaPublicPem } = await credentials.makeKeyPairs();
    const sealed = keySeal.seal(rsaPrivatePem, OWNER);
    found = await db.transaction(async (tx) => {
      await insertServerKey(tx, sealed, rsaPublicPem);
      return findServerKey(tx);
    });
  }
  if (!found) throw new Error("The server's key cannot be read");
  const { stored, publicPem } = found;
  return { privateKey: keySeal.open(stored, OWNER), publicPem };
}
