import type { Activity } from "@kith/activitypub";
import type { Person, Recipient } from "../../../features/people/index.ts";
import type { Post } from "../../../features/posts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import type { RateLimit } from "../../../lib/limits/rate-limit.ts";
import type { InboundMessage } from "../../inbound/inbound-store.ts";
import { serverOf, type Thread } from "../../outbound/outgoing.ts";
import { originOf } from "../authority/origins.ts";
import { forward, type ForwardDeps } from "./forward.ts";
import { findBelow, type Below, type FindBelowDeps } from "./find-below.ts";
import { isPublicActivity } from "../records/is-for-everyone.ts";
import { keepProved } from "./keep-proved.ts";
import { deleteProved } from "../records/proved-store.ts";
import type { NoteThreadChanged } from "./announce-thread.ts";
import type { VerifyDocument } from "../authority/verify-document.ts";

/** Lists the ActivityPub recipients of a local post, except on the server of `by`. */
export type ListRecipients = (
  thread: Thread,
  by: Person,
) => Promise<Recipient[]>;

export type PassOnDeps = FindBelowDeps &
  ForwardDeps & {
    readonly verifyDocument: VerifyDocument;
    readonly listRecipients: ListRecipients;
    /** Announces the changed thread of the post. */
    readonly noteThreadChanged: NoteThreadChanged;
    /** Limits forwarding for each author. */
    readonly forwarding: RateLimit;
  };

/**
 * Forwards a remote activity below a local post, after it was applied: the other servers with the
 * post receive the same bytes, if the post is public and the activity is authenticated (ActivityPub
 * §7.1.2). Otherwise they are notified to read the thread themselves. Proved activities below a
 * limited post are stored for its recipients.
 */
export async function passOn(
  deps: PassOnDeps,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
): Promise<void> {
  const below = await findBelow(deps, activity, sender);
  const post = below && (await deps.posts.find({ id: below.postId }));
  const postAuthor = post && (await deps.people.find({ id: post.personId }));
  if (!post || postAuthor?.userId == null || postAuthor.state !== "active")
    return;
  if (below.isWithheld)
    return keepForLater(deps, post, below, { activity, sender });
  const senderOrigin = originOf(message.sender ?? activity.actor);
  if (!post.public) {
    await keepForMembers(deps, below, activity);
    return deps.noteThreadChanged(post.id, senderOrigin);
  }
  const document = await documentToForward(deps, message, activity, sender);
  const mayGo = document !== undefined;
  // The thread does not list answers to events.
  if (!mayGo && below.isAnswer) return;
  if (!mayGo) return deps.noteThreadChanged(post.id, senderOrigin);
  const recipients = await deps.listRecipients({ post, postAuthor }, sender);
  const to = recipients.filter((person) => serverOf(person) !== senderOrigin);
  await forward(deps, activity, document, [{ post, postAuthor, to }]);
}

/** @returns the bytes of an authenticated public activity, if its author may still forward */
export async function documentToForward(
  deps: Pick<PassOnDeps, "forwarding" | "verifyDocument">,
  message: InboundMessage,
  activity: Activity,
  sender: Person,
): Promise<string | undefined> {
  const document = bytesToForward(message, activity);
  const mayGo =
    document !== undefined &&
    deps.forwarding.take(String(sender.id)) &&
    (await isVouchedFor(deps, activity));
  return mayGo ? document : undefined;
}

/**
 * Stores the answer of a guest who is not confirmed yet, as far as others may get it
 * afterwards: see `forward-confirmed.ts`, and for a limited event the list of its thread.
 */
async function keepForLater(
  deps: PassOnDeps,
  post: Post,
  below: Below,
  {
    activity,
    sender,
  }: { readonly activity: Activity; readonly sender: Person },
): Promise<void> {
  const { said } = below;
  if (!post.public) return keepForMembers(deps, below, activity);
  if (!said) return;
  const mayGo =
    activity.id !== undefined &&
    isPublicActivity(activity) &&
    deps.forwarding.take(String(sender.id)) &&
    (await isVouchedFor(deps, activity));
  if (mayGo) await keepProved(deps, post.id, said, activity);
  else await deps.db.transaction((tx) => deleteProved(tx, said));
}

/**
 * An LD signature is not enough: other servers would not accept it. Without a
 * proof, an earlier proved version is obsolete too.
 * @throws {KithError} `unavailable` if the author's key cannot be fetched now
 */
async function keepForMembers(
  deps: PassOnDeps,
  { postId, said }: Below,
  activity: Activity,
): Promise<void> {
  if (!said) return;
  const vouched = await deps.verifyDocument(activity);
  if (vouched === "proof") await keepProved(deps, postId, said, activity);
  else await deps.db.transaction((tx) => deleteProved(tx, said));
}

/** The body as text, if it is public and is this very activity. */
function bytesToForward(
  { body }: InboundMessage,
  activity: Activity,
): string | undefined {
  if (activity.id === undefined || !isPublicActivity(activity))
    return undefined;
  const text = Buffer.from(body).toString();
  // A fetched object is another document than the received one.
  const isSame = "proof" in activity.raw || "signature" in activity.raw;
  return isSame && Buffer.from(text).equals(body) ? text : undefined;
}

async function isVouchedFor(
  { verifyDocument }: Pick<PassOnDeps, "verifyDocument">,
  activity: Activity,
): Promise<boolean> {
  try {
    return (await verifyDocument(activity)) !== "nothing";
  } catch (error) {
    if (error instanceof KithError) return false;
    throw error;
  }
}
