import type { Fact } from "../../features/facts.ts";
import type { Person, Recipient } from "../../features/people/index.ts";
import type { RetractedKind } from "../../features/retractions/index.ts";
import { DONE, type JobHandler } from "../../jobs/job.ts";
import {
  listOutgoingRecipients,
  listThreadAudience,
  type AudienceDeps,
} from "./audience.ts";
import {
  chooseDeliveryProtocol,
  groupByProtocol,
  speakWith,
  type Senders,
} from "./choose-delivery-protocol.ts";
import { nameOthers, passOnMessage } from "./conversation.ts";
import type { Dispatcher } from "./dispatch.ts";
import type { LoadDeps } from "./load/deps.ts";
import { loadEventChanges, loadOutgoing } from "./load/load-outgoing.ts";
import { orderOf } from "./order.ts";
import {
  isInConversation,
  type Dispatch,
  type Outgoing,
  type Thread,
} from "./outgoing.ts";

export type FanOutDeps = LoadDeps &
  AudienceDeps & {
    readonly dispatch: Dispatcher;
    readonly senders: Senders;
  };

type Watcher = (fact: Fact) => Promise<void>;

/**
 * @param watchers `before` make sure that everything to be sent is there; `after` schedule batched
 * announcements, such as the vote counts of a poll
 */
export function createFanOut(
  deps: FanOutDeps,
  watchers: {
    readonly before: readonly Watcher[];
    readonly after: readonly Watcher[];
  },
): JobHandler<Fact> {
  const send = createFanOutSender(deps);
  return async (fact) => {
    for (const watch of watchers.before) await watch(fact);
    const outgoing = await loadOutgoing(deps, fact);
    if (outgoing) await send(outgoing);
    await forgetRetracted(deps, fact);
    if (fact.type === "event.changed" || fact.type === "event.advanced")
      for (const change of await loadEventChanges(deps, fact))
        await send(change);
    for (const watch of watchers.after) await watch(fact);
    return DONE;
  };
}

/**
 * A protocol keeps data for forwarding an object until its retraction has been sent, and no longer.
 */
async function forgetRetracted(
  { retractions, senders }: FanOutDeps,
  fact: Fact,
): Promise<void> {
  const kind = RETRACTED.get(fact.type);
  if (kind === undefined || !("guid" in fact)) return;
  const personId = "authorId" in fact ? fact.authorId : fact.by;
  const thing = { kind, guid: fact.guid, personId };
  const details = (await retractions.find(thing))?.details;
  const gone: [RetractedKind, readonly string[]][] = [[kind, [fact.guid]]];
  if (details?.kind === "Post") {
    gone.push(["Vote", details.votes ?? []]);
    gone.push(["Comment", details.below ?? []]);
  }
  if (details && "below" in details) gone.push(["Like", details.below ?? []]);
  for (const sender of Object.values(senders))
    for (const [of, guids] of gone) await sender.forget?.(of, guids);
  await retractions.forgetMentioned(thing);
}

const RETRACTED: ReadonlyMap<Fact["type"], RetractedKind> = new Map([
  ["post.retracted", "Post"],
  ["comment.retracted", "Comment"],
  ["like.retracted", "Like"],
  ["vote.retracted", "Vote"],
]);

/** Renders an outgoing message for its recipients, and enqueues it. */
export function createFanOutSender(
  deps: FanOutDeps,
): (outgoing: Outgoing) => Promise<void> {
  return async (given) => {
    const outgoing = passOnMessage(given);
    const audience = await listOutgoingRecipients(deps, outgoing);
    const named = await listNamed(deps, outgoing, audience);
    const everybody = [...audience, ...named];
    const byProtocol = groupByProtocol(deps.senders, outgoing, everybody);
    const dispatches: Dispatch[] = [];
    const about = {
      order: orderOf(outgoing),
      ...(outgoing.kind === "post" && { postId: outgoing.post.id }),
      ...(isForHiding(outgoing) && { evenSuspended: true }),
    };
    for (const protocol of ["activitypub", "diaspora"] as const) {
      const sender = deps.senders[protocol];
      const recipients = byProtocol.get(protocol) ?? [];
      const other = protocol === "diaspora" ? "activitypub" : "diaspora";
      const sent = nameOthers(outgoing, byProtocol.get(other) ?? []);
      if (
        sender &&
        (recipients.length > 0 ||
          (await sender.hasFurtherRecipients?.(outgoing)))
      )
        for (const dispatch of await sender.render(sent, recipients))
          dispatches.push({ ...dispatch, ...about });
    }
    await deps.dispatch(dispatches);
  };
}

/** Does it make other servers show less of a person? Then it is sent for suspended people, too. */
function isForHiding({ kind, by }: Outgoing): boolean {
  return (
    kind.endsWith("_retraction") ||
    kind === "departure" ||
    (kind === "profile" && by.state === "shut_out")
  );
}

/**
 * Lists the additional recipients, over ActivityPub, of an activity below a public post: the people
 * whom a comment mentions, and the author of a comment that is answered or liked. They receive it and its
 * retraction even if the server of the post does not forward these. Over diaspora* only the author
 * of the post sends anything.
 */
async function listNamed(
  deps: FanOutDeps,
  outgoing: Outgoing,
  audience: readonly Recipient[],
): Promise<Recipient[]> {
  const below = readBelow(outgoing);
  if (!below) return [];
  const { post, postAuthor, author, named } = below;
  if (!post.public || author.userId === null || isInConversation(below))
    return [];
  const included = new Set(audience.map(({ id }) => id));
  // A person who has been blocked since may have a copy, and so receives its retraction.
  const owners = below.isEnd ? [] : [author.id, postAuthor.id];
  for (const owner of owners) {
    const ids = named.map(({ id }) => id);
    for (const id of await deps.blocks.listBlockedAmong(owner, ids))
      included.add(id);
  }
  return named.filter(
    (person) =>
      !included.has(person.id) &&
      person.userId === null &&
      person.state === "active" &&
      chooseDeliveryProtocol(deps.senders, outgoing, person) === "activitypub",
  );
}

type Below = Thread & {
  readonly author: Person;
  readonly named: readonly Person[];
  /** Is it a retraction? */
  readonly isEnd: boolean;
};

function readBelow(outgoing: Outgoing): Below | undefined {
  switch (outgoing.kind) {
    case "comment": {
      const { by: author, mentioned, parentAuthor: answered } = outgoing;
      const named = answered ? [...mentioned, answered] : mentioned;
      return { ...outgoing, author, named: unique(named), isEnd: false };
    }
    case "comment_retraction":
      return { ...outgoing, named: outgoing.mentioned, isEnd: true };
    case "like":
    case "like_retraction": {
      const isEnd = outgoing.kind === "like_retraction";
      const author = isEnd ? outgoing.author : outgoing.by;
      const { commentAuthor: liked } = outgoing;
      return { ...outgoing, author, named: liked ? [liked] : [], isEnd };
    }
    default:
      return undefined;
  }
}

function unique(people: readonly Person[]): Person[] {
  return [...new Map(people.map((one) => [one.id, one])).values()];
}

/**
 * Lists the recipients of a local post who receive, over ActivityPub, what others say about it. The
 * server of the author of such an activity already has it.
 */
export function createListThreadRecipients(
  deps: FanOutDeps,
): (thread: Thread, by: Person) => Promise<Recipient[]> {
  return async (thread, by) => {
    const ids = new Set(await listThreadAudience(deps, thread, by));
    const owner = thread.postAuthor.id;
    for (const blocked of await deps.blocks.listBlockedAmong(owner, [...ids]))
      ids.delete(blocked);
    const people = await deps.people.listRecipients(ids);
    return people.filter(
      (person) =>
        person.state === "active" &&
        speakWith(deps.senders, person) === "activitypub",
    );
  };
}
