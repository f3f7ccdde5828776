import {
  isJsonObject,
  parseHttpUrl,
  readActivity,
  readIntegrityProof,
  renamesTerms,
  serialize,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import type { Likes } from "../../../features/likes/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { isOfServer } from "../authority/origins.ts";
import type { VerifyDocument } from "../authority/verify-document.ts";
import {
  embeddedBy,
  readOwnNote,
  withContextOf,
} from "../authority/vouched.ts";
import { isPublic } from "../records/is-for-everyone.ts";
import { findKnown } from "../records/objects.ts";
import {
  parseProved,
  saveProved,
  type ProvedOf,
} from "../records/proved-store.ts";
import { receiveEdit } from "../notes/receive-edit.ts";
import {
  postIdOf,
  storeComment,
  type ReceiveNoteDeps,
} from "../notes/receive-note.ts";
import {
  receiveListedAnswer,
  type ReceiveParticipationDeps,
} from "../inbox/receive-participation.ts";
import { chooseGuid } from "../notes/choose-guid.ts";

export type ReadProvedDeps = ReceiveNoteDeps &
  ReceiveParticipationDeps & {
    readonly likes: Likes;
    readonly verifyDocument: VerifyDocument;
    /** May a server be asked for a key? */
    readonly mayAsk?: (url: string) => boolean;
  };

/**
 * An activity with a proof in a collection. Its actor is only a claim until it
 * is verified.
 */
export type Listed = {
  /** Identifies its object. */
  readonly key: string;
  readonly actor: string;
  readonly json: JsonObject;
};

const SAID = new Set(["Create", "Update"]);
const LIKED = new Set(["Like", "Dislike"]);
const ANSWERED = new Set([
  "Accept",
  "Join",
  "Reject",
  "TentativeAccept",
  "TentativeReject",
]);

/**
 * Reads an entry of a collection as an activity with a proof; undefined for any
 * other.
 */
export function readListed(entry: JsonObject | undefined): Listed | undefined {
  if (!entry || readIntegrityProof(entry) === undefined) return undefined;
  const { type, id, actor, object } = entry;
  if (typeof type !== "string" || typeof actor !== "string") return undefined;
  if (!parseHttpUrl(actor)) return undefined;
  // An edit keeps the id of its object.
  const key = SAID.has(type)
    ? isJsonObject(object)
      ? object["id"]
      : undefined
    : LIKED.has(type)
      ? id
      : ANSWERED.has(type)
        ? `answer of ${actor}`
        : undefined;
  return typeof key === "string" ? { key, actor, json: entry } : undefined;
}

/** The same for stored documents. */
export function readKept(documents: readonly string[]): Map<string, string> {
  return new Map(
    documents.flatMap((document) => {
      const listed = readListed(parseProved(document));
      return listed ? [[listed.key, document] as const] : [];
    }),
  );
}

/**
 * Stores a remote comment or reaction below a remote limited post: the post's
 * server lists it, which makes its author a recipient of the post, and the
 * proof authenticates its content and this very post. A retracted one is not
 * accepted again.
 * @throws {KithError} `unavailable` if the author's key cannot be fetched now
 */
export async function receiveProved(
  deps: ReadProvedDeps,
  { json }: Listed,
  post: Post,
): Promise<void> {
  const activity = readActivity(json);
  const { id, actor } = activity;
  if (id === undefined || !isOfServer(id, actor) || renamesTerms(json)) return;
  if (deps.uris.isLocal(actor)) return;
  const vouched = await deps.verifyDocument(activity, deps.mayAsk);
  if (vouched !== "proof") return;
  const author = await deps.discoverActor(actor);
  if (author?.state !== "active" || author.addresses.actorUri !== actor) return;
  const said = await receiveSaid(deps, activity, author, post);
  if (said)
    await deps.db.transaction((tx) =>
      saveProved(tx, post.id, said, serialize(json)),
    );
}

async function receiveSaid(
  deps: ReadProvedDeps,
  activity: Activity,
  author: Person,
  post: Post,
): Promise<ProvedOf | undefined> {
  if (SAID.has(activity.type))
    return receiveListedComment(deps, activity, author, post);
  if (LIKED.has(activity.type))
    return receiveListedLike(deps, activity, author, post);
  const answer =
    activity.object?.id === post.uri
      ? await receiveListedAnswer(deps, activity, author, post)
      : undefined;
  return answer && { participationId: answer.id };
}

async function receiveListedComment(
  deps: ReadProvedDeps,
  activity: Activity,
  author: Person,
  post: Post,
): Promise<ProvedOf | undefined> {
  const embedded = activity.object && embeddedBy(activity.object, author);
  const note = embedded && readOwnNote(withContextOf(activity.raw, embedded));
  if (note?.inReplyTo === undefined) return undefined;
  if (!(await isMeantFor(deps, note, post))) return undefined;
  const parent = await findKnown(deps, note.inReplyTo);
  if (!parent || postIdOf(parent) !== post.id) return undefined;
  const before = await deps.comments.find({ uri: note.id });
  if (before && note.updated !== undefined)
    await receiveEdit(deps, note, author);
  if (!before) await storeComment(deps, note, author, parent);
  const comment = await deps.comments.find({ uri: note.id });
  return comment?.personId === author.id && comment.postId === post.id
    ? { commentId: comment.id }
    : undefined;
}

/**
 * Is it addressed to the post's author, who forwards it, and not to a few other
 * recipients?
 */
async function isMeantFor(
  { people }: ReadProvedDeps,
  { to, cc }: { readonly to: string[]; readonly cc: string[] },
  post: Post,
): Promise<boolean> {
  const owner = await people.find({ id: post.personId });
  const uri = owner?.addresses.actorUri ?? "";
  return isPublic(to, cc) || to.includes(uri) || cc.includes(uri);
}

async function receiveListedLike(
  deps: ReadProvedDeps,
  activity: Activity,
  author: Person,
  post: Post,
): Promise<ProvedOf | undefined> {
  const { likes } = deps;
  const { type, id, object } = activity;
  const target =
    object?.id === undefined ? undefined : await findKnown(deps, object.id);
  if (!target || postIdOf(target) !== post.id || id === undefined)
    return undefined;
  await likes.receive({
    guid: await chooseGuid(
      { db: deps.db, things: deps.likes },
      "Like",
      activity,
      author,
    ),
    postId: post.id,
    commentId: target.kind === "comment" ? target.comment.id : null,
    personId: author.id,
    positive: type === "Like",
    uri: id,
  });
  const like = await likes.find({ uri: id });
  return like?.personId === author.id ? { likeId: like.id } : undefined;
}

/**
 * Deletes objects that the post's author removed from the thread, or that their authors retracted.
 */
export async function forgetUnlisted(
  deps: ReadProvedDeps,
  document: string,
  post: Post,
): Promise<void> {
  const { type, id, actor, object } = readActivity(parseProved(document));
  if (SAID.has(type) && object?.id !== undefined)
    await deps.comments.receiveRetraction({ uri: object.id }, post.personId);
  else if (LIKED.has(type) && id !== undefined)
    await deps.likes.receiveRetraction({ uri: id }, post.personId);
  else await forgetAnswer(deps, actor, post);
}

async function forgetAnswer(
  { events, people, participations }: ReadProvedDeps,
  actorUri: string,
  { eventId }: Post,
): Promise<void> {
  const event =
    eventId === null ? undefined : await events.find({ id: eventId });
  const person = await people.find({ uri: actorUri });
  if (event && person) await participations.receiveWithdrawal(event, person.id);
}
