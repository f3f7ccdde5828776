import type {
  PersonId,
  PostId,
} from "../../../packages/server/src/db/schema/ids.ts";
import assert from "node:assert/strict";
import sharp, { type Create } from "sharp";
import {
  NO_ADDRESSES,
  type Person,
} from "../../../packages/server/src/features/people/index.ts";
import { KithError } from "../../../packages/server/src/lib/errors.ts";
import { newGuid } from "../../../packages/server/src/lib/guids.ts";
import { visitor } from "../../../packages/server/test/support/pages/visit.ts";
import {
  PASSWORD,
  type KithServer,
  type TestPerson,
} from "../../../packages/server/test/support/server/kith-server.ts";
import { readRecording } from "../../../packages/server/test/support/recordings.ts";

export async function signIn(kith: KithServer, username: string) {
  const visiting = visitor(kith.baseUrl);
  await visiting.post("/users/sign_in", { username, password: PASSWORD });
  assert.notEqual(visiting.cookies(), "");
  return visiting;
}

/** A remote person with a known key, so that their signature can be verified. */
export async function storeRemote(
  { server }: KithServer,
  name: string,
  publicKeyPem: string,
): Promise<Person> {
  const actorUri = `https://remote.example/users/${name}`;
  const person = await server.features.remotePeople.store({
    handle: `${name}@remote.example`,
    guid: newGuid(),
    keys: [{ keyId: `${actorUri}#main-key`, publicKeyPem }],
    protocols: ["activitypub"],
    addresses: { ...NO_ADDRESSES, actorUri, inboxUri: `${actorUri}/inbox` },
    profile: {},
  });
  assert.ok(person);
  return person;
}

/** A calendar with a secret address. */
export async function makeCalendar(
  owner: TestPerson,
): Promise<{ id: number; guid: string }> {
  const form = { name: "feed" };
  const { ID: id } = await owner.post<{ ID: number }>("/calendar", form);
  const { PublicURL } = await owner.post<{ PublicURL: string }>(
    `/calendar/${id}/addresses/secret`,
  );
  const [, guid = assert.fail(PublicURL)] =
    /\/calendars\/(\w+)\.ics$/.exec(PublicURL) ?? [];
  return { id, guid };
}

async function smallPicture(): Promise<Blob> {
  const create: Create = {
    width: 8,
    height: 8,
    channels: 3,
    background: "#08f",
  };
  const bytes = await sharp({ create }).png().toBuffer();
  return new Blob([Uint8Array.from(bytes)]);
}

function smallSound(): Blob {
  return new Blob([Uint8Array.from(readRecording("sound.mp3"))]);
}

/** Stores bookmarks of a post by everybody here, as if each could once see it. */
export async function bookmarkByAll(
  { db, clock }: Pick<KithServer, "db" | "clock">,
  postId: PostId,
): Promise<void> {
  const made = { post_id: postId, created_at: clock.now().toISOString() };
  await db.transaction(async (tx) => {
    const users = await tx.selectFrom("users").select("id").execute();
    await tx
      .insertInto("bookmarks")
      .values(users.map(({ id }) => ({ ...made, user_id: id })))
      .execute();
  });
}

/** Pins a post for its author, beyond the number that the author may pin. */
export async function pin(
  { db, clock }: Pick<KithServer, "db" | "clock">,
  postId: PostId,
): Promise<void> {
  await db.transaction((tx) =>
    tx
      .updateTable("posts")
      .set({ pinned_at: clock.now().toISOString() })
      .where("id", "=", postId)
      .execute(),
  );
}

/** A local and a remote person share with the author. */
export async function follow(
  { server }: KithServer,
  author: TestPerson,
  local: TestPerson,
  remote: Person,
): Promise<void> {
  const { ID } = await local.post<{ ID: number }>("/aspects", {
    name: "followed",
  });
  await local.post(`/people/${author.record.ID}/aspects/${ID}`);
  const userId = author.record.UserID;
  assert.ok(userId !== null);
  await server.features.contacts.receiveSharing(userId, remote.id, true);
}

/** Uploads a picture, or else a sound, with these words. */
export async function uploadMarked(
  by: TestPerson,
  isPicture: boolean,
  words: string,
): Promise<{ ID: number; Guid: string; Url: string; ThumbnailUrl: string }> {
  const multipart = new FormData();
  const file = isPicture ? await smallPicture() : smallSound();
  multipart.set("image", file, "a");
  multipart.set("text", words);
  const answer = await by.call("POST", "/photos", { multipart });
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as Awaited<ReturnType<typeof uploadMarked>>;
}

/** The words of a text that waits for a moderator. */
export const HELD_WORDS = "free coins";

/** A rule against spam holds these words of everybody who is new here, as all are. */
export async function holdWords(boss: TestPerson): Promise<void> {
  await boss.put("/admin/server", { newcomer_days: 30 });
  await boss.post("/admin/spam-rules", {
    ...{ name: "coins", phrase: HELD_WORDS, action: "hold", on: true },
  });
}

/** A comment by somebody of another server. */
export async function receiveComment(
  { server, clock }: KithServer,
  personId: PersonId,
  post: { readonly id: number },
  text: string,
): Promise<void> {
  const guid = newGuid();
  const uri = `https://remote.example/objects/${guid}`;
  const createdAt = clock.now().toISOString();
  const postId = post.id as PostId;
  await server.features.comments.receive({
    ...{ guid, uri, personId, postId, text, createdAt, parentGuid: null },
  });
}

/** One author may have 20 texts that wait. */
const MOST_HELD = 16;
/** The first ones are for all tests. */
const KEPT = 8;

/** The texts that wait for a moderator: of many of one author, old ones are withdrawn. */
export class WaitingTexts {
  readonly #heldTexts: KithServer["server"]["features"]["heldTexts"];
  readonly #known = new Map<PersonId, number[]>();

  constructor({ server }: KithServer) {
    this.#heldTexts = server.features.heldTexts;
  }

  /** Finds the last one of an author, and makes room for one more. */
  async findLast(
    by: PersonId,
  ): Promise<{ readonly id: number; readonly guid: string }> {
    const page = { offset: 0, limit: 1 };
    const [last] = await this.#heldTexts.listOf(by, page);
    const known = this.#known.get(by) ?? [];
    assert.ok(last && !known.includes(last.id), "It does not wait");
    this.#known.set(by, known);
    known.push(last.id);
    if (known.length > MOST_HELD)
      for (const id of known.splice(KEPT, 1)) await this.#withdraw(by, id);
    return last;
  }

  /** Nothing happens to one that was decided or deleted meanwhile. */
  async #withdraw(by: PersonId, id: number): Promise<void> {
    await this.#heldTexts.withdraw(by, id).catch((error: unknown) => {
      if (!(error instanceof KithError && error.code === "not_found"))
        throw error;
    });
  }
}
