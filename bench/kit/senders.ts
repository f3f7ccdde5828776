import { generateKeyPairSync, randomUUID, type KeyObject } from "node:crypto";
import { signCavage } from "../../packages/activitypub/src/index.ts";
import {
  buildEntity,
  buildEnvelope,
} from "../../packages/diaspora/src/index.ts";
import {
  saveFollowing,
  saveSharing,
} from "../../packages/server/src/features/contacts/contact-store.ts";
import type { UserId } from "../../packages/server/src/features/ids.ts";
import { NO_ADDRESSES } from "../../packages/server/src/features/people/index.ts";
import {
  timestamp,
  systemClock,
} from "../../packages/server/src/lib/time/clock.ts";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { fill } from "./fill/fill-timelines.ts";
import { toRequest } from "./http-load.ts";
import type { Prepare } from "./kith-process.ts";
import { READER } from "./reader.ts";
import { writeCreate, writeStatusMessage, type Named } from "./messages.ts";

const KEYS = 50;
export type Sender = {
  readonly name: string;
  readonly host: string;
  readonly handle: string;
  readonly actorUri: string;
  readonly privateKey: KeyObject;
};

export type Protocol = "activitypub" | "diaspora";

/**
 * A reader, and remote people who follow each other.
 * @param postsBefore the number of existing posts by others
 */
export function prepareSenders(
  protocol: Protocol,
  count: number,
  postsBefore = 0,
): Prepare<Sender[]> {
  return async (kith) => {
    const { features, location } = kith;
    const reader = await features.accounts.signUp(READER);
    if (reader.kind !== "created") throw new Error("No account");
    if (postsBefore > 0 && location.kind === "sqlite")
      fill(location.file, postsBefore);
    return storeSenders(kith, protocol, count, reader.account.id);
  };
}

/** Remote people with known keys, each on their own server, whom a user follows and who follow the user. */
export async function storeSenders(
  { features, db }: Parameters<Prepare<unknown>>[0],
  protocol: Protocol,
  count: number,
  userId: UserId,
): Promise<Sender[]> {
  const keys = Array.from({ length: Math.min(KEYS, count) }, () =>
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
  );
  const senders: Sender[] = [];
  for (let i = 0; i < count; i++) {
    const pair = keys[i % keys.length];
    if (!pair) throw new Error("No key");
    const sender = describeSender(i, pair.privateKey);
    senders.push(sender);
    const pem = pair.publicKey.export({ type: "spki", format: "pem" });
    const person = await features.remotePeople.store(
      discovered(protocol, sender, String(pem)),
    );
    if (!person) throw new Error("The person could not be stored");
    const now = timestamp(systemClock.now());
    const follow = {
      following: true,
      requestGuid: newGuid(),
      isConfirmed: true,
    };
    await db.transaction(async (tx) => {
      await saveSharing(tx, userId, person.id, true, now);
      await saveFollowing(tx, userId, person.id, follow, now);
    });
  }
  return senders;
}

function describeSender(i: number, privateKey: KeyObject): Sender {
  const name = `sender${i}`;
  const host = `pod${i}.localhost`;
  const handle = `${name}@${host}`;
  return {
    name,
    host,
    handle,
    actorUri: `http://${host}/u/${name}`,
    privateKey,
  };
}

function discovered(protocol: Protocol, sender: Sender, pem: string) {
  const { handle, host, actorUri } = sender;
  const common = { handle, guid: newGuid(), profile: { firstName: "Sender" } };
  return protocol === "diaspora"
    ? {
        ...common,
        publicKeyPem: pem,
        keys: [],
        protocols: ["diaspora"] as const,
        addresses: { ...NO_ADDRESSES, seedLocation: `http://${host}/` },
      }
    : {
        ...common,
        keys: [{ keyId: `${actorUri}#main-key`, publicKeyPem: pem }],
        protocols: ["activitypub"] as const,
        addresses: {
          ...NO_ADDRESSES,
          actorUri,
          inboxUri: `${actorUri}/inbox`,
          followersUri: `${actorUri}/followers`,
        },
      };
}

/** The selection of messages. */
export type Numbers = { readonly from: number; readonly count: number };

/**
 * Signed public posts, ready to be sent: each by the next sender, mentioning the following one, with a number of its
 * own.
 * @param from the first number
 */
export async function writeRequests(
  protocol: Protocol,
  baseUrl: string,
  senders: readonly Sender[],
  { from, count }: Numbers,
): Promise<Buffer[]> {
  const write = protocol === "diaspora" ? writeEnvelope : writeActivity;
  const requests: Buffer[] = [];
  const LOT = 64;
  for (let start = 0; start < count; start += LOT)
    requests.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(LOT, count - start) }, (_, i) => {
          const number = from + start + i;
          const sender = senders[number % senders.length];
          const named = senders[(number + 1) % senders.length];
          if (!sender || !named) throw new Error("Nobody sends");
          return write(baseUrl, sender, number, named);
        }),
      )),
    );
  return requests;
}

/** As created by other servers: each is inserted at another place of an index. */
function randomGuid(): string {
  return randomUUID().replaceAll("-", "");
}

async function writeEnvelope(
  baseUrl: string,
  { handle, privateKey }: Sender,
  number: number,
  named: Named,
): Promise<Buffer> {
  const payloadXml = buildEntity(
    writeStatusMessage({
      ...{ author: handle, guid: randomGuid(), newGuid: randomGuid },
      ...{ number, named },
    }),
  );
  const body = await buildEnvelope({ payloadXml, sender: handle, privateKey });
  return toRequest(
    `${baseUrl}/receive/public`,
    { "content-type": "application/magic-envelope+xml" },
    body,
  );
}

/** A signed `Create` of a public Note. */
export function writeActivity(
  baseUrl: string,
  sender: Sender,
  number: number,
  named: Named,
): Promise<Buffer> {
  const { actorUri } = sender;
  const id = `${actorUri}/notes/${randomGuid()}`;
  return signActivity(
    baseUrl,
    sender,
    writeCreate({ id, actorUri, number, named }),
  );
}

/** A signed activity, ready to be sent to the shared inbox. */
export async function signActivity(
  baseUrl: string,
  { actorUri, privateKey }: Sender,
  activity: unknown,
): Promise<Buffer> {
  const url = `${baseUrl}/api/v1/ap/inbox`;
  const body = Buffer.from(JSON.stringify(activity));
  const headers = await signCavage({
    method: "POST",
    url,
    headers: { "content-type": "application/activity+json" },
    body,
    keyId: `${actorUri}#main-key`,
    privateKey,
    now: new Date(),
  });
  return toRequest(url, headers, body);
}
