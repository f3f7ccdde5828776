import {
  readActivity,
  type Activity,
  type JsonObject,
} from "@kith/activitypub";
import type { PostId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import { timestamp } from "../../lib/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { RateLimit } from "../../lib/rate-limit.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { putInQueue } from "../dispatch.ts";
import type { InboundMessage } from "../inbound/inbound-store.ts";
import { serverOf, type Thread } from "../outgoing.ts";
import { originOf } from "./authority/origins.ts";
import { findPostOfRetracted } from "./forward-queries.ts";
import { noteForwarded } from "./forwarded-store.ts";
import { isForEveryone } from "./is-for-everyone.ts";
import { inboxesOf } from "./inboxes-of.ts";
import { findKnown } from "./objects.ts";
import type { ReceiveReactionDeps } from "./receive-reaction.ts";
import type { VerifyDocument } from "./authority/verify-document.ts";

export type PassOnDeps = ReceiveReactionDeps & {
  readonly jobs: Jobs;
  readonly verifyDocument: VerifyDocument;
  /** Who over ActivityPub got a post of ours, except on the server of `by`. */
  readonly listHearers: (thread: Thread, by: Person) => Promise<Person[]>;
  /** Sees to it that the post is told anew, with what there is below it. */
  readonly noteThreadChanged: (postId: PostId) => Promise<void>;
  /** How much of each person is passed on. */
  readonly forwarding: RateLimit;
};

/**
 * What somebody elsewhere said below a post of ours, or took back, once it was
 * carried out: the other servers that have the post get the very same bytes,
 * where the post is public and the activity shows who wrote it (ActivityPub
 * §7.1.2). Where it does not, and of limited posts always, they are told to look
 * at the thread themselves.
 */
export async function passOn(
  deps: PassOnDeps,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
): Promise<void> {
  const postId = await findPostBelow(deps, activity, sender);
  const post = postId && (await deps.posts.find({ id: postId }));
  const postAuthor = post && (await deps.people.find({ id: post.personId }));
  if (!post || postAuthor?.userId == null || postAuthor.state !== "active")
    return;
  const document = post.public ? bytesToForward(message, activity) : undefined;
  const mayGo =
    document !== undefined &&
    deps.forwarding.take(String(sender.id)) &&
    (await isVouchedFor(deps, activity));
  if (!mayGo) return deps.noteThreadChanged(post.id);
  const carrier = originOf(message.sender ?? activity.actor);
  const hearers = await deps.listHearers({ post, postAuthor }, sender);
  await forward(deps, {
    id: activity.id ?? "",
    document,
    by: postAuthor,
    to: hearers.filter((person) => serverOf(person) !== carrier),
  });
}

/** The post of which an activity changed what is below it. It is read from what is stored: doing it again changes nothing. */
async function findPostBelow(
  deps: PassOnDeps,
  activity: Activity,
  sender: Person,
): Promise<PostId | undefined> {
  const { type, id, object } = activity;
  const uri = object?.id;
  switch (type) {
    case "Create":
    case "Update": {
      const known = uri === undefined ? undefined : await findKnown(deps, uri);
      return known?.kind === "comment" && known.comment.personId === sender.id
        ? known.comment.postId
        : undefined;
    }
    case "Like":
    case "Dislike": {
      const like =
        id === undefined ? undefined : await deps.likes.find({ uri: id });
      return like?.personId === sender.id ? like.postId : undefined;
    }
    case "Delete":
    case "Undo": {
      const undone = uri ?? innerIdOf(object?.embedded);
      return undone === undefined
        ? undefined
        : findPostOfRetracted(deps.db.read, undone, sender.id);
    }
    default:
      return undefined;
  }
}

function innerIdOf(inner: JsonObject | undefined): string | undefined {
  return inner && readActivity(inner).id;
}

/** The body as a text, where it is for everybody and is this very activity. */
function bytesToForward(
  { body }: InboundMessage,
  activity: Activity,
): string | undefined {
  if (activity.id === undefined || !isForEveryone(activity)) return undefined;
  const text = Buffer.from(body).toString();
  // What was fetched anew is another document than the one that came.
  const isSame = "proof" in activity.raw || "signature" in activity.raw;
  return isSame && Buffer.from(text).equals(body) ? text : undefined;
}

async function isVouchedFor(
  { verifyDocument }: PassOnDeps,
  activity: Activity,
): Promise<boolean> {
  try {
    return (await verifyDocument(activity)) !== "nothing";
  } catch (error) {
    if (error instanceof KithError) return false;
    throw error;
  }
}

/** In one transaction with the note of it, so that it goes out once. */
async function forward(
  deps: PassOnDeps,
  {
    id,
    document,
    by,
    to,
  }: {
    readonly id: string;
    readonly document: string;
    readonly by: Person;
    readonly to: readonly Person[];
  },
): Promise<void> {
  const deliveries = inboxesOf(by, to);
  await deps.db.transaction(async (tx) => {
    if (await noteForwarded(tx, id, timestamp(deps.clock.now())))
      await putInQueue(deps, tx, [{ document, deliveries }]);
  });
}
