import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Audience, Audiences } from "../audiences/index.ts";
import type { Facts } from "../facts.ts";
import type { EventId, PersonId, PhotoId, PostId, UserId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import { newcomerKey, type Newcomers } from "../newcomers/index.ts";
import { refuseMoved } from "../moved.ts";
import { findUsualChoices } from "../texts/index.ts";
import { keepRefusal, type SpamRules } from "../spam-rules/index.ts";
import type { ReadText, Texts } from "../texts/index.ts";
import {
  holdPost,
  narrowToAuthor,
  type HoldDeps,
  type PostToHold,
} from "./held/hold-post.ts";
import type { ConversationReaders } from "./conversation-readers.ts";
import type { PostPhotos } from "./post-photos.ts";
import type { PostLinks } from "./post-links.ts";
import type { PostLocation } from "./post-location.ts";
import { MAX_TEXT_LENGTH, type Post } from "./post.ts";
import { findPost, findVisiblePost } from "./queries/post-queries.ts";
import { findReshare } from "./queries/reshare-queries.ts";
import {
  insertPost,
  lockNewPost,
  toStored,
  type NewPost,
} from "./post-store.ts";
import { insertRecipients } from "./recipient-store.ts";

export type PublishDeps = HoldDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly audiences: Pick<Audiences, "resolve">;
  readonly texts: Texts;
  readonly photos: PostPhotos;
  readonly links: PostLinks;
  readonly readers: ConversationReaders;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly newcomers: Pick<Newcomers, "admitWriting">;
  readonly spamRules: Pick<SpamRules, "held" | "judge">;
};

/** The people whom a new post reaches. */
export type PostReach = {
  readonly isPublic: boolean;
  readonly recipients: readonly PersonId[];
};

/**
 * Stores an attachment of a new post, such as a poll, in the post's transaction. Its check runs
 * there first, before anything is written.
 */
export type Attach = ((tx: Tx, postId: PostId) => Promise<void>) & {
  /** @throws {KithError} if the post may not have the attachment */
  readonly check?: (tx: Tx, reach: PostReach) => Promise<void>;
};

/** Stores all of these attachments in order. */
export function attachAll(...all: readonly (Attach | undefined)[]): Attach {
  const attachEach = async (tx: Tx, postId: PostId) => {
    for (const attach of all) await attach?.(tx, postId);
  };
  const check = async (tx: Tx, reach: PostReach) => {
    for (const attach of all) await attach?.check?.(tx, reach);
  };
  return Object.assign(attachEach, { check });
}

/** A local user as an author. */
export type Author = { readonly userId: UserId; readonly personId: PersonId };

export type PublishPost = {
  readonly author: Author;
  readonly text: string;
  /** Everyone by default. */
  readonly audience?: Audience;
  /** The caller has made sure that all recipients of the post may see the event. */
  readonly eventId?: EventId;
  /** Makes it a conversation of the people addressed: see `Post`. */
  readonly participants?: readonly string[];
  readonly nsfw?: boolean;
  readonly warning?: string | null;
  /** Its language, as returned by `readLanguageTag`; the author's usual one by default. */
  readonly language?: string | null | undefined;
  /** The people who may quote it; as usual for its author by default. */
  readonly quotableBy?: Post["quotableBy"] | undefined;
  /** Where it is written. */
  readonly location?: PostLocation;
  /** The program that wrote it, if it has a name. */
  readonly providerName?: string;
  /** May a post with pictures do without a text? */
  readonly isTextOptional?: boolean;
  readonly attach?: Attach;
  /** The author's pending pictures to attach, in this order. */
  readonly photoIds?: readonly PhotoId[];
};

/** Checks any text that people write. Line ends become LF before anything is signed. */
export function checkText(
  text: string,
  of: "post" | "comment" | "message",
): string {
  const stored = storableText(text);
  if (stored.trim() === "")
    throw new KithError(
      "empty_string",
      `The text of the ${of} must not be blank.`,
    );
  if ([...stored].length > MAX_TEXT_LENGTH)
    throw new KithError(
      "bad_request",
      `The text of the ${of} must have at most ${MAX_TEXT_LENGTH} characters.`,
    );
  return stored;
}

/**
 * Publishes a post.
 * @param outer the caller's own transaction, if any
 * @throws {KithError} `empty_string`, `bad_request`, `not_found` for an aspect or a photo
 *   that is not the author's, or for an unknown person
 */
export async function publishPost(
  deps: PublishDeps,
  {
    author,
    text,
    audience = { kind: "everyone" },
    participants,
    eventId,
    nsfw = false,
    warning = null,
    language,
    quotableBy,
    location,
    photoIds = [],
    providerName = "",
    isTextOptional = false,
    attach,
  }: PublishPost,
  outer?: Tx,
): Promise<Post> {
  const isBlank = isTextOptional && photoIds.length > 0 && text.trim() === "";
  const checked = isBlank ? "" : checkText(text, "post");
  const found = deps.texts.read(checked);
  const write = async (tx: Tx) => {
    await refuseMoved(tx, author.personId);
    const { recipients, ...addressed } = await deps.audiences.resolve(
      tx,
      author,
      audience,
      found,
    );
    await deps.newcomers.admitWriting(tx, author, found.link);
    const usual = await findUsualChoices(tx, author.userId);
    const post: NewPost = {
      ...newPost(deps, author),
      ...addressed,
      text: checked,
      providerName,
      eventId: eventId ?? null,
      nsfw: nsfw || isMarkedNsfw(found),
      warning,
      language: language === undefined ? usual.language : language,
      quotableBy: quotableBy ?? usual.quotableBy,
      location: location ?? null,
      participants: participants ?? null,
    };
    const readers = () => Promise.resolve(recipients);
    const about = { kind: "post", isPublic: post.public, readers } as const;
    const written = { ...post, ...about, found };
    // An event is seen without its post.
    const mayWait = post.eventId === null;
    const verdict = await deps.spamRules.judge(tx, written, mayWait);
    await attach?.check?.(tx, { isPublic: post.public, recipients });
    await deps.photos.check(tx, post, photoIds);
    const rule = verdict.kind === "held" ? verdict.rule : undefined;
    const shownTo = rule === undefined ? recipients : [];
    const shown = rule === undefined ? post : narrowToAuthor(post);
    const attachAllOfIt: Attach = async (_, id) => {
      const { personId } = author;
      await deps.texts.keep(tx, { postId: id, commentId: null }, found);
      await deps.photos.attach(tx, id, photoIds);
      await deps.links.addOwn(tx, { ...shown, id }, found.link);
      if (participants !== undefined) {
        const readers = [personId, ...shownTo];
        await deps.readers.add(tx, { id, personId }, readers);
      }
      await attach?.(tx, id);
    };
    if (rule === undefined)
      return store(deps, tx, recipients, post, attachAllOfIt);
    const since = post.createdAt;
    const held = { post, recipients, rule, since };
    return storeHeld(deps, tx, held, attachAllOfIt);
  };
  if (outer) return write(outer);
  // Posts by one author, whose limits and pictures they share, come one after the other.
  const keys = [newcomerKey(author.userId)];
  return keepRefusal(deps.db, deps.db.together(keys, write));
}

/** Nobody learns of the post: no fact is recorded. */
async function storeHeld(
  deps: PublishDeps,
  tx: Tx,
  held: Omit<PostToHold, "postId">,
  attach: Attach,
): Promise<Post> {
  const shown = narrowToAuthor(held.post);
  const now = new Date(shown.createdAt);
  const { id: postId } = await insertPost(tx, shown, now, true);
  await attach(tx, postId);
  await deps.indexing.renewPost(tx, postId);
  await holdPost(deps, tx, { ...held, postId });
  return toStored(shown, postId);
}

/** This tag is diaspora*'s content warning. */
export function isMarkedNsfw({ tags }: ReadText): boolean {
  return tags.includes("nsfw");
}

/**
 * Reshares a public post. A reshare of a reshare refers to the root.
 * @param listed is the reshare in public lists? Never where its root is not
 * @throws {KithError} `not_found`, or `bad_request` for a post that is not public or was
 *   already reshared
 */
export async function resharePost(
  deps: PublishDeps,
  author: Author,
  guid: string,
  listed = true,
): Promise<Post> {
  return deps.db.transaction(async (tx) => {
    await refuseMoved(tx, author.personId);
    const given = await findVisiblePost(tx, { guid }, author);
    if (!given) throw new KithError("not_found", "No such post.");
    const root =
      given.rootGuid === null
        ? given
        : await findPost(tx, { guid: given.rootGuid });
    if (!root) throw new KithError("not_found", "The first post is gone.");
    if (!root.public)
      throw new KithError("bad_request", "Only public posts can be reshared.");
    const { personId } = author;
    const reshare = { guid: null, uri: null, rootGuid: root.guid, personId };
    await lockNewPost(tx, deps.db.dialect, reshare);
    if (await findReshare(tx, root.guid, author.personId))
      throw new KithError(
        "bad_request",
        "You have reshared this post already.",
      );
    await deps.newcomers.admitWriting(tx, author);
    const stored = await store(deps, tx, [], {
      ...newPost(deps, author),
      type: "reshare",
      listed: listed && root.listed,
      rootGuid: root.guid,
      rootPersonId: root.personId,
    });
    await deps.indexing.renewPost(tx, root.id);
    return stored;
  });
}

function newPost({ clock }: PublishDeps, author: Author): NewPost {
  return {
    guid: newGuid(),
    personId: author.personId,
    type: "post",
    public: true,
    listed: true,
    text: "",
    providerName: "",
    rootGuid: null,
    rootPersonId: null,
    uri: null,
    url: null,
    createdAt: timestamp(clock.now()),
  };
}

async function store(
  { facts, indexing }: PublishDeps,
  tx: Tx,
  recipients: readonly PersonId[],
  post: NewPost,
  attach?: Attach,
): Promise<Post> {
  const { id: postId } = await insertPost(
    tx,
    post,
    new Date(post.createdAt),
    true,
  );
  await insertRecipients(tx, postId, recipients);
  await attach?.(tx, postId);
  if (post.type === "post")
    await indexing.renewPost(tx, postId, { isNew: true });
  await facts.record(tx, { type: "post.published", postId, by: post.personId });
  return toStored(post, postId);
}
