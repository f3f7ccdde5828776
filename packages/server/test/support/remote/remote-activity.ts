import assert from "node:assert/strict";
import {
  NO_ADDRESSES,
  type Person,
} from "../../../src/features/people/index.ts";
import { insertInbound } from "../../../src/federation/inbound/inbound-store.ts";
import { HANDLE_INBOUND } from "../../../src/federation/inbound/inbound.ts";
import { newGuid } from "../../../src/lib/guids.ts";
import { timestamp } from "../../../src/lib/time/clock.ts";
import type { KithServer } from "../server/kith-server.ts";
import type { Peer } from "./peer.ts";

/** A person on an ActivityPub server. */
export async function personAt(
  { server }: KithServer,
  peer: Peer,
  name: string,
): Promise<Person> {
  const actorUri = `${peer.origin}/users/${name}`;
  const person = await server.features.remotePeople.store({
    handle: `${name}@${new URL(peer.origin).host}`,
    guid: newGuid(),
    keys: [{ keyId: `${actorUri}#main-key`, publicKeyPem: "a key" }],
    protocols: ["activitypub"],
    addresses: { ...NO_ADDRESSES, actorUri, inboxUri: `${actorUri}/inbox` },
    profile: {},
  });
  assert.ok(person);
  return person;
}

export type SentActivity = {
  id: string;
  type: string;
  actor: string;
  object: string | { type: string; id: string; object?: unknown };
};

/** The activities that reached an inbox of this person, in their order. */
export function activitiesTo(peer: Peer, person: Person): SentActivity[] {
  const path = new URL(person.addresses.inboxUri ?? "").pathname;
  return peer.received
    .filter((one) => one.path === path)
    .map(({ body }) => JSON.parse(body) as SentActivity);
}

/** A remote person's activity, stored as after verification, and processed. */
export async function receiveActivity(
  kith: KithServer,
  by: Person,
  activity: Readonly<Record<string, unknown>>,
): Promise<string | null> {
  const actor = by.addresses.actorUri;
  const id = `${actor}/activities/${newGuid()}`;
  const document = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id,
    actor,
    ...activity,
  };
  const { jobs } = kith.server.features;
  const messageId = await kith.db.transaction(async (tx) => {
    const stored = await insertInbound(tx, {
      protocol: "activitypub",
      messageId: String(document.id),
      sender: actor,
      recipientUserId: null,
      verified: true,
      body: Buffer.from(JSON.stringify(document)),
      receivedAt: timestamp(kith.clock.now()),
    });
    assert.ok(stored !== undefined, "The activity is new");
    const payload = { messageId: stored };
    await jobs.enqueue(tx, HANDLE_INBOUND, payload, { lane: `in:${actor}` });
    return stored;
  });
  await kith.settle();
  const row = await kith.db.read
    .selectFrom("inbound_messages")
    .select("outcome")
    .where("id", "=", messageId)
    .executeTakeFirstOrThrow();
  return row.outcome;
}
