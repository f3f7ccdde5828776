import { generateKeyPairSync } from "node:crypto";
import type { Server } from "../../packages/server/src/compose/server.ts";
import { saveSharing } from "../../packages/server/src/features/contacts/contact-store.ts";
import type {
  PersonId,
  UserId,
} from "../../packages/server/src/features/ids.ts";
import { NO_ADDRESSES } from "../../packages/server/src/features/people/index.ts";
import {
  systemClock,
  timestamp,
} from "../../packages/server/src/lib/time/clock.ts";
import { newGuid } from "../../packages/server/src/lib/guids.ts";
import { picture } from "../../packages/server/test/support/scenes/pictures.ts";
import type { Behavior } from "./http-sink.ts";
import type { Prepare } from "./kith-process.ts";
import { writeMarkdownText, type Named } from "./messages.ts";
import type { Protocol } from "./senders.ts";

export const INBOXES = 1_000;
export const HOSTS = 200;
const POSTS = 10;
/** As many deliveries as to personal inboxes. */
const POSTS_TO_SHARED = (POSTS * INBOXES) / HOSTS;
/** No server listens there. */
const CLOSED_PORT = 1;

type Features = Server["features"];

/** The behavior of a host; `absent`: there is no such host. */
export type HostBehavior = Behavior | "refusing" | "absent";

/** The followers of a local author, and their servers. */
export type Followers = {
  readonly protocol: Protocol;
  /** Each host gets one delivery for all its people. */
  readonly isShared?: boolean;
  readonly behaviorOf?: (host: number) => HostBehavior;
};

/** The numbers of the inboxes on hosts with this behavior. */
export function inboxesOf(
  { behaviorOf: behavior }: Followers,
  which?: HostBehavior,
): number[] {
  return Array.from({ length: INBOXES }, (_, i) => i).filter(
    (i) =>
      which === undefined || (behavior?.(i % HOSTS) ?? "healthy") === which,
  );
}

export function deliveriesTo(one: Followers, which?: HostBehavior): number {
  return one.isShared
    ? HOSTS * POSTS_TO_SHARED
    : inboxesOf(one, which).length * POSTS;
}

/** A local author whose posts are to be delivered to all followers. */
export function prepareFollowers(one: Followers, port: number): Prepare<void> {
  return async ({ features, db }) => {
    const signedUp = await features.accounts.signUp({
      username: "author",
      password: "correct horse battery",
    });
    if (signedUp.kind !== "created") throw new Error("No account");
    const userId = signedUp.account.id;
    const author = await features.people.find({ userId });
    if (!author) throw new Error("No person");
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = String(publicKey.export({ type: "spki", format: "pem" }));
    const refusing = new Set(inboxesOf(one, "refusing"));
    const absent = new Set(inboxesOf(one, "absent"));
    for (const i of inboxesOf(one)) {
      if (absent.has(i)) continue;
      const at = refusing.has(i) ? CLOSED_PORT : port;
      const person = await features.remotePeople.store(
        follower(one, at, i, pem),
      );
      if (!person) throw new Error("The person could not be stored");
      const now = timestamp(systemClock.now());
      await db.transaction((tx) =>
        saveSharing(tx, userId, person.id, true, now),
      );
    }
    await publishAll(features, { userId, personId: author.id }, one, port);
  };
}

/** Each mentions one of the followers, and every tenth has a photo. */
async function publishAll(
  { posts, photos }: Features,
  author: { readonly userId: UserId; readonly personId: PersonId },
  one: Followers,
  port: number,
): Promise<void> {
  const bytes = await picture(1280, 960).jpeg().toBuffer();
  const count = one.isShared ? POSTS_TO_SHARED : POSTS;
  const named = inboxesOf(one, "healthy");
  for (let i = 0; i < count; i++) {
    const text = writeMarkdownText(i, nameOf(one, port, named[i] ?? 0));
    const photo =
      i % 10 === 0
        ? await photos.upload({ owner: author, bytes, text: "A heron" })
        : undefined;
    const photoIds = photo ? [photo.id] : [];
    await posts.publish({ author, text, photoIds });
  }
}

function nameOf({ protocol }: Followers, port: number, i: number): Named {
  const host = addressOf(protocol === "diaspora" ? i : i % HOSTS);
  const name = `follower${i}`;
  const handle = `${name}@${host}:${port}`;
  return { name, handle, actorUri: `http://${host}:${port}/u/${i}` };
}

function addressOf(host: number): string {
  return `127.0.${1 + Math.floor(host / 200)}.${1 + (host % 200)}`;
}

export function hostNumber(address: string): number {
  const [third = 1, fourth = 1] = address.split(".").slice(2).map(Number);
  return (third - 1) * 200 + fourth - 1;
}

function follower(one: Followers, port: number, i: number, pem: string) {
  const { protocol, isShared = false } = one;
  const { handle, actorUri } = nameOf(one, port, i);
  const base = new URL(actorUri).origin;
  const common = { handle, guid: newGuid(), profile: {} };
  if (protocol === "diaspora")
    return {
      ...common,
      publicKeyPem: pem,
      keys: [],
      protocols: ["diaspora"] as const,
      addresses: { ...NO_ADDRESSES, seedLocation: `${base}/` },
    };
  const addresses = {
    ...NO_ADDRESSES,
    actorUri,
    inboxUri: `${actorUri}/inbox`,
    ...(isShared ? { sharedInboxUri: `${base}/inbox` } : {}),
  };
  return {
    ...common,
    keys: [{ keyId: `${actorUri}#main-key`, publicKeyPem: pem }],
    protocols: ["activitypub"] as const,
    addresses,
  };
}
