import type { KeyObject } from "node:crypto";
import type { Db } from "../../../db/db.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import type { Audit } from "../../audit/index.ts";
import type { PersonId, UserId } from "../../ids.ts";
import type { ProfileChanges } from "../../people/index.ts";
import { findAccount, insertAccount } from "../account-store.ts";
import { isReservedName, isUsername } from "../account.ts";
import { completeKeyPairs } from "../keys/key-pairs.ts";
import { isBcryptHash } from "./bcrypt-hash.ts";
import { makePerson, type MakePersonDeps } from "./make-person.ts";

export type TakeOverDeps = MakePersonDeps & {
  readonly db: Db;
  readonly audit: Pick<Audit, "recordAct">;
};

/** An account of a server that moves here as a whole, under the same domain. */
export type AccountToTakeOver = {
  readonly username: string;
  /** By bcrypt; with any other one the account has no password. */
  readonly passwordHash: string;
  /** Others know the person by it. */
  readonly guid: string;
  readonly rsa: KeyObject;
  readonly profile: ProfileChanges;
  readonly locale?: string | undefined;
  readonly createdAt: Timestamp;
};

/** May an account here have this name? */
export function isPossibleUsername(username: string): boolean {
  return isUsername(username) && !isReservedName(username);
}

/**
 * Creates an account that keeps its keys, its Guid and its password. Nobody is notified.
 * @returns undefined if its name, handle or Guid is taken
 */
export async function takeOverAccount(
  deps: TakeOverDeps,
  { username, passwordHash, guid, rsa, profile, ...input }: AccountToTakeOver,
): Promise<{ userId: UserId; personId: PersonId } | undefined> {
  const { db, people, audit } = deps;
  const keys = await completeKeyPairs(rsa);
  return db.transaction(async (tx) => {
    if (await findAccount(tx, { username })) return undefined;
    const handle = `${username}@${deps.handleHost}`;
    for (const key of [{ guid }, { handle }])
      if (await people.find(key, tx)) return undefined;
    const userId = await insertAccount(
      tx,
      {
        ...{ username, role: "user", state: "active", reason: null },
        passwordHash: isBcryptHash(passwordHash) ? passwordHash : "",
        locale: input.locale,
      },
      input.createdAt,
    );
    if (userId === undefined) return undefined;
    const account = { id: userId, username };
    const personId = await makePerson(deps, tx, account, keys, guid);
    await people.takeOverProfile(tx, personId, profile);
    await audit.recordAct(tx, {
      ...{ by: null, action: "account.create", target: username },
      details: "taken over from another program",
    });
    return { userId, personId };
  });
}
