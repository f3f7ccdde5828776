import { mentionsIn } from "@kith/diaspora";
import type { PostId, UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Attach } from "../../../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../../../jobs/job.ts";
import { createDispatcher } from "../../outbound/dispatch.ts";
import type { DiasporaDeps } from "../deps.ts";
import { asSigner, dispatchEntity } from "./envelopes.ts";
import type { Arrival, ReceiveContext } from "../authority/receive-context.ts";
import { renderParticipation } from "../render/render-person.ts";
import { hostOf } from "../render/wire-values.ts";

/** The job that subscribes to a remote post at its author's server. */
export const PARTICIPATE = jobKind<{ postId: PostId; userId: UserId }>(
  "participate",
);

/** Further mentions are ignored. */
const MAX_MENTIONS = 20;

/**
 * Returns the subscription to a post, for the transaction that stores it: one,
 * and only if the author's server would not send later comments anyway
 * (protocol section 12.3).
 * @returns undefined if no local user is concerned
 */
export async function subscribing(
  context: Pick<ReceiveContext, "contacts" | "handleHost" | "jobs" | "people">,
  post: { readonly public: boolean; readonly text: string },
  arrival: Arrival,
): Promise<Attach | undefined> {
  if (!post.public || arrival.sender.addresses.seedLocation === null)
    return undefined;
  const userId = await findConcerned(context, post.text, arrival);
  if (userId === undefined) return undefined;
  return (tx, postId) =>
    context.jobs.enqueue(tx, PARTICIPATE, { postId, userId });
}

/**
 * Chooses the subscriber. A pod takes its first user; but the author learns the
 * name, so here it is only a user whose own action or contact brought the post:
 * who requested, received or was mentioned in it, or who follows the person
 * that led to it. A post without such a cause, such as from a relay, is not
 * subscribed to.
 */
async function findConcerned(
  context: Pick<ReceiveContext, "contacts" | "handleHost" | "people">,
  text: string,
  { sender, owner, cause }: Arrival,
): Promise<UserId | undefined> {
  const { contacts } = context;
  const asked =
    cause?.userId ?? owner?.userId ?? (await findMentioned(context, text));
  if (asked == null && cause?.personId == null) return undefined;
  // Contacts of the author receive everything anyway. Checked last: most posts
  // concern no user.
  if (await contacts.findUserRelatedTo(sender.id, { either: true }))
    return undefined;
  if (asked != null) return asked;
  return cause?.personId == null
    ? undefined
    : contacts.findUserRelatedTo(cause.personId, { either: false });
}

/** The first local user mentioned in a text. */
async function findMentioned(
  { people, handleHost }: Pick<ReceiveContext, "handleHost" | "people">,
  text: string,
): Promise<UserId | undefined> {
  for (const { handle } of mentionsIn(text).slice(0, MAX_MENTIONS)) {
    if (hostOf(handle) !== handleHost) continue;
    const userId = (await people.find({ handle }))?.userId;
    if (userId != null) return userId;
  }
  return undefined;
}

type ParticipateDeps = Pick<
  DiasporaDeps,
  "db" | "jobs" | "clock" | "accounts" | "people" | "posts" | "blocks"
>;

export function createParticipate(
  deps: ParticipateDeps,
): JobHandler<{ postId: PostId; userId: UserId }> {
  const { people, posts, blocks } = deps;
  const dispatch = createDispatcher(deps);
  return async ({ postId, userId }) => {
    const post = await posts.find({ id: postId });
    const author = post && (await people.find({ id: post.personId }));
    const by = await people.find({ userId });
    const signer = by && asSigner(by);
    if (!post?.public || !signer || !isReachable(author) || !isActive(by))
      return DONE;
    if ((await blocks.listBlockedAmong(by.id, [author.id])).length > 0)
      return DONE;
    const to = { recipients: [author], isPublic: false };
    const entity = renderParticipation(by, post);
    const order = { about: `participation:${by.id}:${post.guid}` };
    const rendered = await dispatchEntity(deps, entity, signer, to);
    await dispatch(rendered.map((one) => ({ ...one, order })));
    return DONE;
  };
}

function isReachable(author: Person | undefined): author is Person {
  return author?.userId === null && isActive(author);
}

function isActive({ state }: Person): boolean {
  return state === "active";
}
