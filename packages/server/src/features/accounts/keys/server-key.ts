import { generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { Db } from "../../../db/db.ts";
import {
  PUSH_KEY_NAME,
  SERVER_KEY_NAME,
} from "../../../db/schema/columns/stored-names.ts";
import type { KeyPairs } from "./key-pairs.ts";
import type { KeySeal } from "./key-seal.ts";
import { findServerKey, insertServerKey } from "./key-store.ts";

const generate = promisify(generateKeyPair);

/** A key pair of the server's own. */
export type ServerKey = {
  readonly privateKey: KeyObject;
  /** SPKI. */
  readonly publicPem: string;
};

type KeyDeps = { readonly db: Db; readonly keySeal: KeySeal };

/** The key that signs requests made for no user. */
export function getServerKey({
  credentials,
  ...deps
}: KeyDeps & {
  readonly credentials: { readonly makeKeyPairs: () => Promise<KeyPairs> };
}): Promise<ServerKey> {
  return getNamedKey(deps, SERVER_KEY_NAME, async () => {
    const { rsaPrivatePem, rsaPublicPem } = await credentials.makeKeyPairs();
    return { privatePem: rsaPrivatePem, publicPem: rsaPublicPem };
  });
}

/** The key that identifies the server to push services (RFC 8292): ECDSA on P-256. */
export function getPushKey(deps: KeyDeps): Promise<ServerKey> {
  return getNamedKey(deps, PUSH_KEY_NAME, async () => {
    const pair = await generate("ec", { namedCurve: "P-256" });
    const pkcs8 = { type: "pkcs8", format: "pem" } as const;
    return {
      privatePem: String(pair.privateKey.export(pkcs8)),
      publicPem: String(pair.publicKey.export({ type: "spki", format: "pem" })),
    };
  });
}

/** Two processes may create one concurrently; the first one stored is used by both. */
async function getNamedKey(
  { db, keySeal }: KeyDeps,
  name: string,
  make: () => Promise<{
    readonly privatePem: string;
    readonly publicPem: string;
  }>,
): Promise<ServerKey> {
  const owner = { server: name };
  let found = await findServerKey(db.read, name);
  if (!found) {
    const made = await make();
    const sealed = keySeal.seal(made.privatePem, owner);
    found = await db.transaction(async (tx) => {
      await insertServerKey(tx, name, sealed, made.publicPem);
      return findServerKey(tx, name);
    });
  }
  if (!found) throw new Error("A key of the server cannot be read");
  const { stored, publicPem } = found;
  return { privateKey: keySeal.open(stored, owner), publicPem };
}
