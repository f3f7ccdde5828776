import type { PostId } from "../../../packages/server/src/db/schema/ids.ts";
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { signCavage } from "@kith/activitypub";
import type { Person } from "../../../packages/server/src/features/people/index.ts";
import { newGuid } from "../../../packages/server/src/lib/guids.ts";
import { startTalk } from "../../../packages/server/test/support/conversations/talking.ts";
import type {
  KithServer,
  TestPerson,
} from "../../../packages/server/test/support/server/kith-server.ts";
import { befriend } from "../../../packages/server/test/support/remote/several-servers.ts";
import { remotePost } from "../../../packages/server/test/support/remote/remote-people.ts";
import {
  ABSENT,
  TAG,
  type Audience,
  type Kind,
  type Subject,
  type Viewer,
} from "./subjects.ts";
import {
  bookmarkByAll,
  follow,
  HELD_WORDS,
  holdWords,
  signIn,
  makeCalendar,
  pin,
  receiveComment,
  storeRemote,
  uploadMarked,
  WaitingTexts,
} from "./people.ts";

type Credentials = {
  /** A stream of this user's that contains every post. */
  readonly streamId?: number;
  readonly token?: string;
  readonly cookie?: string;
  readonly signer?: Person;
};

type OwnAspect = "first" | "second" | "nobody";

type Made = { ID: PostId; Guid: string; heldId?: number };

export class PrivacyWorld {
  readonly kith: KithServer;
  readonly author: TestPerson;
  readonly firstMember: TestPerson;
  readonly stranger: TestPerson;
  /** Part of the addresses of the calendar that the author's events are in. */
  readonly calendarGuid: string;
  readonly #calendarId: number;
  readonly #aspects: Readonly<Record<OwnAspect, number>>;
  readonly #credentials: Readonly<Record<Viewer, Credentials>>;
  readonly #remoteAuthor: Person;
  readonly #privateKey: string;
  readonly #held: WaitingTexts;
  #made = 0;

  private constructor(parts: Parts) {
    this.kith = parts.kith;
    this.author = parts.author;
    this.firstMember = parts.firstMember;
    this.stranger = parts.stranger;
    this.calendarGuid = parts.calendar.guid;
    this.#calendarId = parts.calendar.id;
    this.#aspects = parts.aspects;
    this.#credentials = parts.credentials;
    this.#remoteAuthor = parts.remoteAuthor;
    this.#privateKey = parts.privateKey;
    this.#held = new WaitingTexts(parts.kith);
  }

  static async create(kith: KithServer): Promise<PrivacyWorld> {
    const keys = generateKeyPairSync("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "pem" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
    });
    const [author, firstMember, secondMember, stranger, asking, blocked] = [
      await kith.person({ handle: "author" }),
      await kith.person({ handle: "first" }),
      await kith.person({ handle: "second" }),
      await kith.person({ handle: "stranger" }),
      await kith.person({ handle: "asking" }),
      await kith.person({ handle: "blocked" }),
    ];
    const moderator = await kith.person({ role: "moderator" });
    await holdWords(await kith.person({ role: "admin" }));
    const remote = (name: string) => storeRemote(kith, name, keys.publicKey);
    const remoteMember = await remote("member");
    const aspect = async (name: string, members: readonly number[]) => {
      const { ID } = await author.post<Made>("/aspects", { name });
      for (const id of members)
        await author.post(`/people/${id}/aspects/${ID}`);
      return ID;
    };
    const session = async ({ username }: TestPerson) =>
      (await signIn(kith, username)).cookies();
    const deleted = await kith.token("author", "deleted");
    await author.delete(`/oauth/tokens/${deleted.ID}`);
    const local = async (person: TestPerson): Promise<Credentials> => {
      await person.post(`/tags/${TAG}`);
      const form = { name: "all", expression: "marker" };
      const stream = await person.post<Made>("/users/streams", form);
      return {
        token: person.token,
        cookie: await session(person),
        streamId: stream.ID,
      };
    };
    const aspects = {
      first: await aspect("first", [
        firstMember.record.ID,
        blocked.record.ID,
        remoteMember.id,
      ]),
      second: await aspect("second", [secondMember.record.ID]),
      nobody: await aspect("nobody", []),
    };
    const remoteStranger = await remote("stranger");
    await follow(kith, author, secondMember, remoteMember);
    // Everyone who may see a public post finds it, too.
    await author.put("/profile", { Indexable: true, Locked: true });
    await befriend(asking, author.handle);
    return new PrivacyWorld({
      kith,
      author,
      firstMember,
      stranger,
      aspects,
      calendar: await makeCalendar(author),
      blocked,
      remoteAuthor: await remote("elsewhere"),
      privateKey: keys.privateKey,
      credentials: {
        anonymous: {},
        author: await local(author),
        firstMember: await local(firstMember),
        secondMember: await local(secondMember),
        stranger: await local(stranger),
        asking: await local(asking),
        blocked: await local(blocked),
        deletedToken: { token: deleted.token },
        moderator: await local(moderator),
        remoteMember: { signer: remoteMember },
        remoteStranger: { signer: remoteStranger },
      },
    }).#block(blocked);
  }

  /** Only now, because it had received the posts to the first aspect. */
  async #block(blocked: TestPerson): Promise<this> {
    await this.author.post(`/people/${blocked.record.ID}/block`);
    return this;
  }

  /** Whether the viewer is identified by an access token, a session, or a signature. */
  credentialsOf(viewer: Viewer): Credentials {
    return this.#credentials[viewer];
  }

  /** The headers that identify a viewer. */
  async headersOf(
    viewer: Viewer,
    method: string,
    url: string,
    own: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const { token, cookie, signer } = this.#credentials[viewer];
    const headers = {
      ...own,
      ...(token === undefined ? {} : { access_token: token }),
      ...(cookie === undefined ? {} : { cookie }),
    };
    if (!signer || method !== "GET") return headers;
    const { host: _, ...signed } = await signCavage({
      method,
      url,
      headers,
      keyId: `${signer.addresses.actorUri}#main-key`,
      privateKey: this.#privateKey,
      now: this.kith.clock.now(),
    });
    return signed;
  }

  /** Creates an object of the author's, or, if remote, of another person's. */
  async make(kind: Kind, audience: Audience): Promise<Subject> {
    this.#made += 1;
    const marker = `marker${this.#made}x${newGuid().slice(0, 12)}`;
    switch (kind) {
      case "post":
        return this.#makePost(audience, marker);
      case "comment":
        return this.#makeComment(audience, marker);
      case "like":
        return this.#makeLike(audience);
      case "event":
        return this.#makeEvent(audience, marker);
      case "photo":
      case "recording":
        return this.#makePhoto(kind, audience, marker);
      case "calendar": {
        const name = marker;
        const made = await this.author.post<Made>("/calendar", { name });
        const post = ABSENT;
        return { kind, audience, id: made.ID, guid: "", marker, post };
      }
      case "notification":
        return this.#makeNotification(audience);
      case "conversation":
        return this.#makeConversation(audience, marker);
      case "quote":
        return this.#makeQuote(audience);
      case "heldComment":
        return this.#makeHeldComment(audience, marker);
    }
  }

  async #makePost(audience: Audience, marker: string): Promise<Subject> {
    const text = `${marker} #${TAG}`;
    const made =
      audience === "elsewhere"
        ? await this.#receivePost(text)
        : audience === "heldElsewhere"
          ? await this.#receiveHeld(text)
          : await this.#publish(audience, { post: text });
    const { ID: id, Guid: guid, heldId } = made;
    await bookmarkByAll(this.kith, id);
    await pin(this.kith, id);
    const post = { id, guid };
    return {
      ...{ kind: "post", audience, id, guid, marker, post },
      ...(heldId !== undefined && { heldId }),
    };
  }

  /** It has no number of its own before it is approved. */
  async #makeHeldComment(audience: Audience, marker: string): Promise<Subject> {
    const { post } = await this.make("post", "public");
    const comment = `${marker} ${HELD_WORDS}`;
    const by =
      audience === "held" ? this.author.record.ID : await this.#makeSpammer();
    if (audience === "held") {
      const path = `/posts/${post.id}/comments`;
      const sent = { form: { comment } };
      const answer = await this.author.call("POST", path, sent);
      assert.equal(answer.status, 400, answer.text);
    } else await receiveComment(this.kith, by, post, comment);
    const { id, guid } = await this.#held.findLast(by);
    const kind = "heldComment";
    return { kind, audience, id, guid, marker, post, heldId: id };
  }

  /** Somebody of another server of whom nobody here has heard. */
  async #makeSpammer(): Promise<Person["id"]> {
    const name = `spammer${this.#made}`;
    const { publicKeyPem } = this.#remoteAuthor;
    return (await storeRemote(this.kith, name, publicKeyPem)).id;
  }

  async #receiveHeld(text: string): Promise<Made> {
    const by = await this.#makeSpammer();
    const { posts } = this.kith.server.features;
    const spam = `${text} ${HELD_WORDS}`;
    const given = remotePost({ id: by }, { text: spam });
    const { guid } = given;
    await posts.receive(given);
    const { id: heldId } = await this.#held.findLast(by);
    const { id: ID } = (await posts.find({ guid })) ?? assert.fail(guid);
    return { ID, Guid: guid, heldId };
  }

  /** Also with somebody of another server, by somebody here or there. */
  async #makeConversation(
    audience: Audience,
    marker: string,
  ): Promise<Subject> {
    const text = `${marker} #${TAG}`;
    const first = this.firstMember.record.ID;
    const there = this.#credentials.remoteMember.signer ?? assert.fail();
    const { ID: id, Guid: guid } =
      audience === "elsewhere"
        ? await this.#receivePost(text, [this.#remoteAuthor.handle])
        : await startTalk(this.author, [first, there.id], { text });
    const post = { id, guid };
    return { kind: "conversation", audience, id, guid, marker, post };
  }

  /** A limited post that only its author can quote; stored as if others could. */
  async #makeQuote(audience: Audience): Promise<Subject> {
    const quoted = await this.make("post", audience);
    const form = { post: `what do you say? #${TAG} of markers` };
    const { ID: id, Guid: guid } = await this.stranger.post<Made>(
      "/posts",
      form,
    );
    await this.kith.db.transaction((tx) =>
      tx
        .insertInto("quotes")
        .values({
          post_id: id,
          quoted_uri: null,
          quoted_guid: quoted.guid,
          state: "accepted",
          authorization_uri: null,
          changed_at: this.kith.clock.now().toISOString(),
        })
        .execute(),
    );
    const { marker } = quoted;
    const post = { id, guid };
    return { kind: "quote", audience, id, guid, marker, post };
  }

  async #publish(
    audience: Audience,
    form: Record<string, string | number> & { readonly post: string },
  ): Promise<Made> {
    const isHeld = audience === "held";
    const made = await this.author.post<Made>("/posts", {
      ...form,
      ...(isHeld && { post: `${form.post} ${HELD_WORDS}` }),
      ...this.#chosenBy(isHeld ? "public" : audience),
    });
    return isHeld
      ? {
          ...made,
          heldId: (await this.#held.findLast(this.author.record.ID)).id,
        }
      : made;
  }

  /** The parameters that choose an audience. */
  #chosenBy(audience: Audience): Record<string, string | number> {
    if (audience === "public") return { aspectID: 0 };
    if (audience === "named") {
      const { signer } = this.#credentials.remoteStranger;
      const personID = this.stranger.record.ID;
      return { personID, person: signer?.handle ?? "" };
    }
    return audience in this.#aspects
      ? { aspectID: this.#aspects[audience as OwnAspect] }
      : { audience };
  }

  async #receivePost(
    text: string,
    participants: readonly string[] | null = null,
  ): Promise<Made> {
    const recipients = [this.firstMember.record.ID];
    const createdAt = this.kith.clock.now().toISOString();
    const given = {
      ...{ public: false, listed: false, text, recipients, createdAt },
      participants,
    };
    const { posts } = this.kith.server.features;
    const received = await posts.receive(remotePost(this.#remoteAuthor, given));
    assert.ok(received.kind === "stored");
    return { ID: received.value.id, Guid: received.value.guid };
  }

  /** A local person who may see it, and reacts to it. */
  #readerOf(audience: Audience): TestPerson {
    return audience === "elsewhere" ? this.firstMember : this.author;
  }

  async #makeComment(audience: Audience, text: string): Promise<Subject> {
    const { post } = await this.make("post", audience);
    const { ID, Guid } = await this.#readerOf(audience).post<Made>(
      `/posts/${post.id}/comments`,
      { comment: text },
    );
    const kind = "comment";
    return { kind, audience, id: ID, guid: Guid, marker: text, post };
  }

  async #makeLike(audience: Audience): Promise<Subject> {
    const { post } = await this.make("post", audience);
    const { ID, Guid } = await this.#readerOf(audience).post<Made>(
      `/posts/${post.id}/likes`,
    );
    return { kind: "like", audience, id: ID, guid: Guid, marker: Guid, post };
  }

  async #makeEvent(audience: Audience, marker: string): Promise<Subject> {
    const { ID, Guid } = await this.author.post<Made>("/calendar/events", {
      summary: marker,
      calendarID: this.#calendarId,
      // Lists have the newest first.
      start: `${9000 - this.#made}-05-06T07:08:09Z`,
      end: `${9000 - this.#made}-05-06T08:08:09Z`,
      ...(audience === "personal"
        ? { announce: "false" }
        : this.#chosenBy(audience)),
    });
    const kind = "event";
    return { kind, audience, id: ID, guid: Guid, marker, post: ABSENT };
  }

  async #makePhoto(
    kind: "photo" | "recording",
    audience: Audience,
    marker: string,
  ): Promise<Subject> {
    const isPhoto = kind === "photo";
    const photo = await uploadMarked(this.author, isPhoto, marker);
    const photoID = photo.ID;
    const post =
      audience === "personal"
        ? undefined
        : await this.#publish(audience, {
            ...{ post: "p", ...(isPhoto && { photoID }) },
          });
    const json = { comment: "c", photoID };
    if (post && !isPhoto)
      await this.author.post(`/posts/${post.ID}/comments`, json);
    return {
      ...{ kind, audience, id: photo.ID, guid: photo.Guid, marker },
      post: post ? { id: post.ID, guid: post.Guid } : ABSENT,
      url: photo.Url,
      thumbnailUrl: photo.ThumbnailUrl,
    };
  }

  async #makeNotification(audience: Audience): Promise<Subject> {
    const { post } = await this.make("post", "public");
    // Thousands of objects were made before: their jobs would take a minute.
    await this.kith.db.transaction((tx) => tx.deleteFrom("jobs").execute());
    const like = await this.stranger.post<Made>(`/posts/${post.id}/likes`);
    await this.kith.settle();
    const list = await this.author.get<(Made & { ShareableGuid: string })[]>(
      "/notifications",
      { limit: 100 },
    );
    const notified = list.find((one) => one.ShareableGuid === like.Guid);
    assert.ok(notified, "The author is notified of the like");
    const marker = like.Guid;
    const kind = "notification";
    return { kind, audience, id: notified.ID, guid: "", marker, post };
  }
}

type Parts = {
  calendar: { id: number; guid: string };
  readonly kith: KithServer;
  readonly author: TestPerson;
  readonly firstMember: TestPerson;
  readonly stranger: TestPerson;
  readonly blocked: TestPerson;
  readonly aspects: Readonly<Record<OwnAspect, number>>;
  readonly credentials: Readonly<Record<Viewer, Credentials>>;
  readonly remoteAuthor: Person;
  readonly privateKey: string;
};
