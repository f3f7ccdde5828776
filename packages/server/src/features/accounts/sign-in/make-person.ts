import type { Tx } from "../../../db/db.ts";
import { newPersonGuid } from "../../../lib/guids.ts";
import type { PersonId, UserId } from "../../ids.ts";
import type { People } from "../../people/index.ts";
import type { KeyPairs } from "../keys/key-pairs.ts";
import type { KeySeal } from "../keys/key-seal.ts";
import { insertKeys } from "../keys/key-store.ts";

export type MakePersonDeps = {
  readonly people: People;
  readonly keySeal: KeySeal;
  /** `host[:port]` of the handles of this server. */
  readonly handleHost: string;
};

/**
 * Creates an account's keys and its person with an empty profile: from now on others can
 * find it.
 */
export async function makePerson(
  { people, keySeal, handleHost }: MakePersonDeps,
  tx: Tx,
  account: { readonly id: UserId; readonly username: string },
  keys: KeyPairs,
  guid = newPersonGuid(),
): Promise<PersonId> {
  const { id: userId, username } = account;
  // Bound to the account, whose id is known only now.
  await insertKeys(tx, userId, {
    rsa: keySeal.seal(keys.rsaPrivatePem, { userId, kind: "rsa" }),
    ed25519: keySeal.seal(keys.ed25519PrivatePem, { userId, kind: "ed25519" }),
  });
  const personId = await people.createLocal(tx, {
    guid,
    handle: `${username}@${handleHost}`,
    userId,
    publicKeyPem: keys.rsaPublicPem,
  });
  if (personId === undefined)
    throw new Error(`The handle of ${username} belongs to another person`);
  return personId;
}
