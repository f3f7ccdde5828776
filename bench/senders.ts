import { generateKeyPairSync, randomUUID, type KeyObject } from "node:crypto";
import { signCavage } from "../packages/activitypub/src/index.ts";
import { buildEntity, buildEnvelope } from "../packages/diaspora/src/index.ts";
import { saveSharing } from "../packages/server/src/features/contacts/contact-store.ts";
import { NO_ADDRESSES } from "../packages/server/src/features/people/index.ts";
import { timestamp, systemClock } from "../packages/server/src/lib/clock.ts";
import { newGuid } from "../packages/server/src/lib/guids.ts";
import { fill } from "./fill-timelines.ts";
import { toRequest } from "./http-load.ts";
import type { Prepare } from "./kith-process.ts";

const KEYS = 50;
/** Of text in each post: as long as posts are. */
const TEXT =
  "The river was high this morning, and on the far bank two herons stood " +
  "in the reeds as if somebody had painted them there. I had bread with me, " +
  "and time, and nobody asked for either. ";

export type Sender = {
  readonly name: string;
  readonly host: string;
  readonly handle: string;
  readonly actorUri: string;
  readonly privateKey: KeyObject;
};

export type Protocol = "activitypub" | "diaspora";

/**
 * People elsewhere whose keys are known here, each on a server of its own, followed by somebody here.
 * @param postsBefore how many posts of others there are already
 */
export function prepareSenders(
  protocol: Protocol,
  count: number,
  postsBefore = 0,
): Prepare<Sender[]> {
  return async ({ features, db, location }) => {
    const reader = await features.accounts.signUp({
      username: "reader",
      password: "correct horse battery",
    });
    if (reader.kind !== "created") throw new Error("No account");
    if (postsBefore > 0 && location.kind === "sqlite")
      fill(location.file, postsBefore);
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
      const person = await features.people.storeRemote(
        discovered(protocol, sender, String(pem)),
      );
      if (!person) throw new Error("The person could not be stored");
      const userId = reader.account.id;
      const now = timestamp(systemClock.now());
      await db.transaction((tx) =>
        saveSharing(tx, userId, person.id, true, now),
      );
    }
    return senders;
  };
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

/** Signed public posts, ready to be sent: each by the next of the senders, each other than all before. */
export async function writeRequests(
  protocol: Protocol,
  baseUrl: string,
  senders: readonly Sender[],
  count: number,
): Promise<Buffer[]> {
  const write =
    protocol === "diaspora"
      ? writeEnvelope
      : (url: string, sender: Sender, number: number) =>
          writeActivity(url, sender, number);
  const requests: Buffer[] = [];
  const LOT = 64;
  for (let start = 0; start < count; start += LOT)
    requests.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(LOT, count - start) }, (_, i) => {
          const sender = senders[(start + i) % senders.length];
          if (!sender) throw new Error("Nobody sends");
          return write(baseUrl, sender, start + i);
        }),
      )),
    );
  return requests;
}

/** As other servers make them: each falls into another place of an index. */
function randomGuid(): string {
  return randomUUID().replaceAll("-", "");
}

/** One post in five has a tag. */
function textOf(number: number): string {
  return `${TEXT}${number % 5 === 0 ? "#herons " : ""}${number}`;
}

async function writeEnvelope(
  baseUrl: string,
  { handle, privateKey }: Sender,
  number: number,
): Promise<Buffer> {
  const payloadXml = buildEntity({
    type: "status_message",
    author: handle,
    guid: randomGuid(),
    createdAt: `${new Date().toISOString().slice(0, 19)}Z`,
    public: true,
    text: textOf(number),
    photos: [],
  });
  const body = await buildEnvelope({ payloadXml, sender: handle, privateKey });
  return toRequest(
    `${baseUrl}/receive/public`,
    { "content-type": "application/magic-envelope+xml" },
    body,
  );
}

/** @param mentioned actor here to whom it is addressed as well */
export async function writeActivity(
  baseUrl: string,
  { actorUri, privateKey }: Sender,
  number: number,
  mentioned?: string,
): Promise<Buffer> {
  const url = `${baseUrl}/api/v1/ap/inbox`;
  const id = `${actorUri}/notes/${randomGuid()}`;
  const published = `${new Date().toISOString().slice(0, 19)}Z`;
  const to = ["https://www.w3.org/ns/activitystreams#Public"];
  const cc = [`${actorUri}/followers`, ...(mentioned ? [mentioned] : [])];
  const audience = { published, to, cc };
  const body = Buffer.from(
    JSON.stringify({
      "@context": [
        "https://www.w3.org/ns/activitystreams",
        {
          ostatus: "http://ostatus.org#",
          sensitive: "as:sensitive",
          conversation: "ostatus:conversation",
        },
      ],
      id: `${id}/activity`,
      type: "Create",
      actor: actorUri,
      ...audience,
      object: {
        id,
        type: "Note",
        summary: null,
        inReplyTo: null,
        url: id,
        attributedTo: actorUri,
        sensitive: false,
        conversation: `tag:${number}:objectType=Conversation`,
        content: `<p>${textOf(number)}</p>`,
        contentMap: { en: `<p>${textOf(number)}</p>` },
        attachment: [],
        tag: mentioned ? [{ type: "Mention", href: mentioned }] : [],
        ...audience,
        replies: {
          id: `${id}/replies`,
          type: "Collection",
          first: {
            type: "CollectionPage",
            next: `${id}/replies?page=true`,
            partOf: `${id}/replies`,
            items: [],
          },
        },
      },
    }),
  );
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
