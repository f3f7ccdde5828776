import type { Db, Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { lockNames } from "../../db/lock-names.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import { hasBlocked } from "../visibility/index.ts";
import type { Facts } from "../facts.ts";
import { notFoundIfGone } from "../gone-meanwhile.ts";
import type { CommentId, PersonId, PhotoId } from "../ids.ts";
import type { Indexing } from "../indexing/index.ts";
import { addLateUri } from "../late-uri.ts";
import type { Newcomers } from "../newcomers/index.ts";
import { refuseMoved } from "../moved.ts";
import { findUsualChoices } from "../texts/index.ts";
import { freeClaimedGuid, isGuidKeptFrom } from "../taken-guid-store.ts";
import {
  checkText,
  REFUSED_BY_RULE,
  type Author,
  type ConversationReaders,
  type Post,
  type PostKey,
  type Posts,
  type Received,
  type ReceivedPhoto,
} from "../posts/index.ts";
import type { Retractions } from "../retractions/index.ts";
import {
  keepRefusal,
  listReadersHere,
  TextHeld,
  type SpamRules,
  type TextToJudge,
} from "../spam-rules/index.ts";
import type { ReadText, Texts } from "../texts/index.ts";
import {
  findComment,
  insertComment,
  type Comment,
  type NewComment,
  addCommentUri,
} from "./comment-store.ts";
import type { CommentPhotos } from "./comment-photos.ts";
import { holdComment, replaceHeld } from "./hold-comment.ts";

export type CreateCommentDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly photos: CommentPhotos;
  readonly posts: Posts;
  readonly retractions: Retractions;
  readonly texts: Texts;
  readonly readers: ConversationReaders;
  readonly indexing: Pick<Indexing, "renewPost">;
  readonly newcomers: Pick<Newcomers, "admitEdit" | "admitWriting">;
  readonly spamRules: Pick<SpamRules, "admit" | "held" | "judge">;
};

export type CreateComment = {
  readonly author: Author;
  readonly on: PostKey;
  readonly text: string;
  /** The word for it in error messages. */
  readonly as?: "comment" | "message";
  readonly warning?: string | null;
  /** Like the language of a post. */
  readonly language?: string | null | undefined;
  /** The parent comment on the same post. */
  readonly parentGuid?: string;
  /** The author's pending pictures to attach, in this order. */
  readonly photoIds?: readonly PhotoId[];
  /** May a comment with pictures do without a text? */
  readonly isTextOptional?: boolean;
  /** Stores something with the comment, in its transaction. */
  readonly attach?: (tx: Tx, id: CommentId) => Promise<void>;
};

/** Other servers trim white space and relay the rest with the original signature. */
export function checkCommentText(
  text: string,
  as: "comment" | "message",
  isTextOptional = false,
): string {
  const isBlank = isTextOptional && text.trim() === "";
  return isBlank ? "" : checkText(text, as).trim();
}

/**
 * Comments on a post.
 * @throws {KithError} `not_found` for a post that the author may not see, a parent that is
 *   not on it, or a picture that is not the author's; `empty_string`, `bad_request`
 */
export async function createComment(
  deps: CreateCommentDeps,
  {
    author,
    on,
    text,
    as = "comment",
    warning = null,
    language,
    parentGuid,
    photoIds = [],
    isTextOptional = false,
    attach,
  }: CreateComment,
): Promise<Comment> {
  const { db, clock, posts } = deps;
  const mayBeBlank = isTextOptional && photoIds.length > 0;
  const checked = checkCommentText(text, as, mayBeBlank);
  const found = deps.texts.read(checked);
  const writing = db.transaction(async (tx) => {
    await refuseMoved(tx, author.personId);
    const post = await posts.findVisible(on, author, tx);
    if (!post) throw new KithError("not_found", "No such post.");
    if (parentGuid !== undefined) await checkParent(tx, post, parentGuid);
    await deps.newcomers.admitWriting(tx, author, found.link);
    const now = clock.now();
    const comment = {
      guid: newGuid(),
      postId: post.id,
      personId: author.personId,
      text: checked,
      warning,
      language:
        language === undefined
          ? (await findUsualChoices(tx, author.userId)).language
          : language,
      parentGuid: parentGuid ?? null,
      uri: null,
      createdAt: timestamp(now),
    };
    const text = textToJudge(tx, post, comment, { found });
    // A text that waits is kept without uploads.
    const mayWait = photoIds.length === 0;
    const verdict = await deps.spamRules.judge(tx, text, mayWait);
    if (verdict.kind === "held") {
      const since = timestamp(now);
      await holdComment(deps, tx, comment, { rule: verdict.rule, since });
      return undefined;
    }
    await deps.photos.check(tx, post, author.personId, photoIds);
    const stored = await storeNewComment(deps, tx, comment, { found, now });
    await deps.photos.attach(tx, stored, photoIds);
    if (post.participants !== null) await deps.readers.noteMessage(tx, stored);
    await attach?.(tx, stored.id);
    return stored;
  });
  const stored = await keepRefusal(db, notFoundIfGone(writing));
  if (!stored) throw new TextHeld();
  return stored;
}

/** Applies the rules against spam to an edit. @returns false for a remote one to refuse */
export function admitComment(
  { spamRules }: Pick<CreateCommentDeps, "spamRules">,
  ...[tx, ...written]: Parameters<typeof textToJudge>
): Promise<boolean> {
  return spamRules.admit(tx, textToJudge(tx, ...written));
}

function textToJudge(
  tx: Tx,
  post: Post,
  comment: Pick<NewComment, "guid" | "personId" | "text" | "uri">,
  read: {
    readonly found: ReadText;
    readonly mentioned?: readonly PersonId[] | undefined;
  },
): TextToJudge {
  const { guid, personId, text, uri } = comment;
  const place = { postId: post.id, postPersonId: post.personId };
  return {
    ...{ ...read, kind: "comment", guid, personId, text, uri },
    isPublic: post.public,
    readers: () => listReadersHere(tx, place),
  };
}

async function checkParent(
  tx: Tx,
  post: Post,
  parentGuid: string,
): Promise<void> {
  const parent = await findComment(tx, { guid: parentGuid });
  if (parent?.postId !== post.id)
    throw new KithError("not_found", "No such comment on that post.");
}

export type ReceivedComment = NewComment & {
  /** People mentioned outside the text, as in ActivityPub. */
  readonly mentioned?: readonly PersonId[];
  readonly photos?: readonly ReceivedPhoto[];
};

/** Stores a remote comment whose author has been authenticated, once. */
export async function receiveRemoteComment(
  deps: CreateCommentDeps,
  { mentioned, photos = [], ...comment }: ReceivedComment,
  outer?: Tx,
): Promise<Received<Comment>> {
  const { db, clock, retractions, texts } = deps;
  const found = texts.read(comment.text);
  return inTransaction(db, outer, async (tx) => {
    const { guid, uri } = comment;
    await lockNames(tx, db.dialect, [guid, uri]);
    const named = await findComment(tx, { guid });
    const isFreed =
      named !== undefined &&
      named.personId !== comment.personId &&
      (await freeClaimedGuid(tx, comment));
    const known =
      (isFreed ? undefined : named) ??
      (uri === null ? undefined : await findComment(tx, { uri }));
    if (known && known.personId !== comment.personId)
      return { kind: "refused", reason: "The Guid is another author's" };
    if (known) {
      await addLateUri(deps.facts, tx, known, uri, URIS);
      return { kind: "known", value: known };
    }
    if (await isGuidKeptFrom(tx, "Comment", comment))
      return { kind: "refused", reason: "The Guid is that of something else" };
    const post = await deps.posts.find({ id: comment.postId }, tx);
    if (post && (await hasBlocked(tx, post.personId, comment.personId)))
      return { kind: "refused", reason: "Blocked by the author of the post" };
    if (await retractions.isRetracted(tx, { kind: "Comment", ...comment }))
      return { kind: "refused", reason: "It was retracted" };
    const now = clock.now();
    const read = { found, mentioned };
    const verdict =
      post &&
      (await deps.spamRules.judge(tx, textToJudge(tx, post, comment, read)));
    if (verdict?.kind === "refused")
      return { kind: "refused", reason: REFUSED_BY_RULE };
    if (verdict?.kind === "held") {
      const held = { rule: verdict.rule, since: timestamp(now) };
      const repeated = { ...comment, mentioned, photos };
      if (!(await replaceHeld(deps, tx, repeated)))
        await holdComment(deps, tx, repeated, held, true);
      return WAITS;
    }
    const answers = await listAnswered(tx, post, comment);
    const about = { ...read, now, ...(answers && { answers }) };
    const value = await storeNewComment(deps, tx, comment, about);
    await deps.photos.receive(tx, value, photos);
    if (post && post.participants !== null)
      await deps.readers.noteMessage(tx, value);
    return { kind: "stored", value };
  });
}

/**
 * Lists the authors of what a remote comment answers.
 * @returns undefined for a message of a conversation, whose participants are notified of each
 */
async function listAnswered(
  tx: Tx,
  post: Post | undefined,
  { parentGuid }: NewComment,
): Promise<PersonId[] | undefined> {
  if (!post || post.participants !== null) return undefined;
  const parent =
    parentGuid === null
      ? undefined
      : await findComment(tx, { guid: parentGuid });
  return [post, parent].flatMap((one) => one?.personId ?? []);
}

const WAITS: Received<never> = {
  kind: "refused",
  reason: "It waits for a moderator",
};

const URIS = {
  find: findComment,
  add: (tx: Tx, { id }: Comment, uri: string) => addCommentUri(tx, id, uri),
};

type NewWithin = {
  readonly found: ReadText;
  readonly mentioned?: readonly PersonId[] | undefined;
  readonly now: Date;
  /** The authors of what it answers, if it concerns no others than these and itself mentions. */
  readonly answers?: readonly PersonId[];
};

/**
 * Stores a new comment. It is delivered and notifies people, unless all whom it concerns are
 * elsewhere: a job that finds that out costs more than the comment.
 */
export async function storeNewComment(
  {
    facts,
    texts,
    indexing,
  }: Pick<CreateCommentDeps, "facts" | "indexing" | "texts">,
  tx: Tx,
  comment: NewComment,
  { found, mentioned, now, answers }: NewWithin,
): Promise<Comment> {
  const { personId: by, postId } = comment;
  const { id, isAwaited } = await insertComment(tx, comment, now);
  if (isAwaited) await facts.noteArrival(tx, [comment.guid, comment.uri]);
  const mentions = await texts.keep(
    tx,
    { postId, commentId: id },
    found,
    mentioned,
  );
  // Only people with an account here search.
  const isWithin = mentions.areAnyLocal || (await texts.isAnyLocal(tx, [by]));
  if (isWithin) await indexing.renewPost(tx, postId);
  const fact = { type: "comment.created", commentId: id, by } as const;
  if (isWithin || !answers || (await texts.isAnyLocal(tx, answers)))
    await facts.record(tx, fact);
  else await facts.note(tx, fact);
  const stored = await findComment(tx, { id });
  if (!stored) throw new Error("The new comment cannot be read");
  return stored;
}
