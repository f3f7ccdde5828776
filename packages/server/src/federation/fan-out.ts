import type { Blocks } from "../features/blocks/index.ts";
import type { Contacts } from "../features/contacts/index.ts";
import type { Fact } from "../features/facts.ts";
import type { PersonId } from "../features/ids.ts";
import type { Person, Protocol } from "../features/people/index.ts";
import type { RetractedKind } from "../features/retractions/index.ts";
import type { Post } from "../features/posts/index.ts";
import { DONE, jobKind, type JobHandler } from "../jobs/job.ts";
import {
  findOutgoing,
  listEventChanges,
  type DescribeDeps,
} from "./describe-fact.ts";
import type { Dispatcher } from "./dispatch.ts";
import {
  isInConversation,
  isRootHere,
  serverOf,
  type Outgoing,
  type ProtocolSender,
  type Thread,
} from "./outgoing.ts";

/** The job that finds out who must hear of a fact, and at which inbox. */
export const FAN_OUT = jobKind<Fact>("fan-out");

export type FanOutDeps = DescribeDeps & {
  readonly blocks: Blocks;
  readonly contacts: Contacts;
  readonly dispatch: Dispatcher;
  /** The protocols that are switched on. */
  readonly senders: Readonly<Partial<Record<Protocol, ProtocolSender>>>;
};

/** @param watchPoll sees to it that the counts of a poll are told when they are due */
export function createFanOut(
  deps: FanOutDeps,
  watchPoll: (fact: Fact) => Promise<void>,
): JobHandler<Fact> {
  const tell = createTell(deps);
  return async (fact) => {
    const outgoing = await findOutgoing(deps, fact);
    if (outgoing) await tell(outgoing);
    await forgetRetracted(deps, fact);
    if (fact.type === "event.changed")
      for (const change of await listEventChanges(deps, fact))
        await tell(change);
    await watchPoll(fact);
    return DONE;
  };
}

/** What a protocol keeps of a thing to pass it on, it needs until its end has been told, and no longer. */
async function forgetRetracted(
  { retractions, senders }: FanOutDeps,
  fact: Fact,
): Promise<void> {
  const kind = RETRACTED.get(fact.type);
  if (kind === undefined || !("guid" in fact)) return;
  const details = (await retractions.find(kind, fact.guid))?.details;
  const gone: [RetractedKind, readonly string[]][] = [[kind, [fact.guid]]];
  if (details?.kind === "Post") {
    gone.push(["PollParticipation", details.votes ?? []]);
    gone.push(["Comment", details.below ?? []]);
  }
  if (details && "below" in details) gone.push(["Like", details.below ?? []]);
  for (const sender of Object.values(senders))
    for (const [of, guids] of gone) await sender.forget?.(of, guids);
}

const RETRACTED: ReadonlyMap<Fact["type"], RetractedKind> = new Map([
  ["post.retracted", "Post"],
  ["comment.retracted", "Comment"],
  ["like.retracted", "Like"],
  ["vote.retracted", "PollParticipation"],
]);

/** Renders a thing to tell for those who must hear of it, and puts it into the queue. */
export function createTell(
  deps: FanOutDeps,
): (outgoing: Outgoing) => Promise<void> {
  return async (outgoing) => {
    const audience = await listAudience(deps, outgoing);
    const byProtocol = groupByProtocol(deps, outgoing, audience);
    const dispatches = [];
    for (const [protocol, recipients] of byProtocol) {
      const sender = deps.senders[protocol];
      if (sender)
        dispatches.push(...(await sender.render(outgoing, recipients)));
    }
    await deps.dispatch(dispatches);
  };
}

/**
 * Finds out who has a post of ours and hears over ActivityPub what others say
 * about it; on the server of who said it they know.
 */
export function createListHearers(
  deps: FanOutDeps,
): (thread: Thread, by: Person) => Promise<Person[]> {
  return async (thread, by) => {
    const ids = new Set(await listThreadAudience(deps, thread, by));
    const owner = thread.postAuthor.id;
    for (const blocked of await deps.blocks.listBlockedAmong(owner, [...ids]))
      ids.delete(blocked);
    const people = await deps.people.listById(ids);
    return [...people.values()].filter(
      (person) =>
        person.userId === null &&
        person.state === "active" &&
        speakWith(deps, person) === "activitypub",
    );
  };
}

/** The people elsewhere who must hear of it. */
async function listAudience(
  deps: FanOutDeps,
  outgoing: Outgoing,
): Promise<Person[]> {
  const ids = new Set(await listAudienceIds(deps, outgoing));
  for (const { id } of listOwners(outgoing))
    for (const blocked of await deps.blocks.listBlockedAmong(id, [...ids]))
      ids.delete(blocked);
  const people = await deps.people.listById(ids);
  // The old server of somebody who came here is to hear of it.
  const mover = outgoing.kind === "move" ? outgoing.from.id : undefined;
  return [...people.values()].filter(
    ({ id, userId, state }) =>
      userId === null && (state === "active" || id === mover),
  );
}

/**
 * Whose blocks count: whom one of these has blocked may not see the thing, and
 * so it is not told of it. Of the end of things it is: it may have had them.
 */
function listOwners(outgoing: Outgoing): Person[] {
  switch (outgoing.kind) {
    case "post": {
      const { by, root } = outgoing;
      return root ? [by, root.author] : [by];
    }
    case "event_change":
    case "poll_change":
    case "thread_change":
      return [outgoing.by];
    case "comment":
    case "event_answer":
    case "like":
    case "vote":
      // In a conversation everyone speaks for itself.
      return isInConversation(outgoing)
        ? [outgoing.by, outgoing.postAuthor]
        : [outgoing.postAuthor];
    case "block":
    case "comment_retraction":
    case "contact":
    case "departure":
    case "like_retraction":
    case "move":
    case "photo_retraction":
    case "post_retraction":
    case "profile":
    case "vote_retraction":
      return [];
  }
}

async function listAudienceIds(
  deps: FanOutDeps,
  outgoing: Outgoing,
): Promise<PersonId[]> {
  const { by } = outgoing;
  switch (outgoing.kind) {
    case "contact":
    case "block":
      return [outgoing.recipient.id];
    case "departure":
    case "move":
      return [...outgoing.audience];
    case "profile":
      return listContacts(deps, by);
    case "post": {
      const { post, root, mentioned } = outgoing;
      if (!post.public) return deps.posts.listRecipientIds(post.id);
      return [
        ...(await listContacts(deps, by)),
        ...mentioned.map(({ id }) => id),
        ...(root ? [root.author.id] : []),
      ];
    }
    case "poll_change":
    case "thread_change":
      return listThoseWhoHave(deps, outgoing);
    case "event_change": {
      const { id } = outgoing.event;
      const coming = await deps.participations.listAttendingIds(id);
      const having = await listThoseWhoHave(deps, outgoing);
      // Of a limited post only those are told who got it.
      return outgoing.post.public ? [...having, ...coming] : having;
    }
    case "post_retraction": {
      const { details } = outgoing;
      const { rootPersonId, recipients } = details;
      if (!details.public) return [...recipients];
      return [
        ...(await listContacts(deps, by)),
        ...recipients,
        ...(rootPersonId === null ? [] : [rootPersonId]),
      ];
    }
    case "comment":
      return isInConversation(outgoing)
        ? listOthersInConversation(deps, outgoing, by)
        : listThreadAudience(deps, outgoing, by);
    case "event_answer":
    case "like":
    case "photo_retraction":
    case "vote":
      return listThreadAudience(deps, outgoing, by);
    case "comment_retraction":
    case "like_retraction":
    case "vote_retraction":
      return listThreadAudience(deps, outgoing, by, outgoing.author);
  }
}

/**
 * With the root here: everyone who got it, except on the server where the thing
 * came from. Otherwise: the author of the root, whose server passes it on.
 * @param author of what is retracted, who is told where somebody else retracts it
 */
async function listThreadAudience(
  deps: FanOutDeps,
  thread: Thread,
  by: Person,
  author: Person = by,
): Promise<PersonId[]> {
  const { post, postAuthor } = thread;
  // Conversations know nothing but messages, and no end of one (protocol section 10.17).
  if (isInConversation(thread)) return [];
  if (!isRootHere(thread)) return by.userId === null ? [] : [postAuthor.id];
  const got = await listThoseWhoHave(deps, { post, by: postAuthor });
  const concerned = [...got, author.id];
  const origin = serverOf(by);
  if (origin === undefined) return concerned;
  const people = await deps.people.listById(concerned);
  return [...people.values()]
    .filter((person) => serverOf(person) !== origin)
    .map(({ id }) => id);
}

/** What somebody here says in a conversation it sends to all others itself; what others say is sent by them. */
async function listOthersInConversation(
  { posts }: FanOutDeps,
  { post, postAuthor }: Thread,
  by: Person,
): Promise<PersonId[]> {
  if (by.userId === null) return [];
  const others = [postAuthor.id, ...(await posts.listRecipientIds(post.id))];
  return others.filter((id) => id !== by.id);
}

/** Who has got a post, or asked to hear of it. */
async function listThoseWhoHave(
  deps: FanOutDeps,
  { post, by }: { readonly post: Post; readonly by: Person },
): Promise<PersonId[]> {
  if (!post.public) return deps.posts.listRecipientIds(post.id);
  return [
    ...(await listContacts(deps, by)),
    ...(await deps.posts.listFollowerIds(post.id, post.guid)),
  ];
}

async function listContacts(
  { contacts }: FanOutDeps,
  { userId }: Person,
): Promise<PersonId[]> {
  return userId === null ? [] : contacts.listIds(userId);
}

function groupByProtocol(
  deps: FanOutDeps,
  outgoing: Outgoing,
  audience: readonly Person[],
): Map<Protocol, Person[]> {
  const groups = new Map<Protocol, Person[]>();
  for (const person of audience) {
    const protocol = chooseProtocol(deps, outgoing, person);
    if (protocol)
      groups.set(protocol, [...(groups.get(protocol) ?? []), person]);
  }
  return groups;
}

/**
 * The protocol stored with the person; the other one where that is switched off
 * here, or where the thing that is answered is known only by the other.
 */
function chooseProtocol(
  deps: FanOutDeps,
  outgoing: Outgoing,
  person: Person,
): Protocol | undefined {
  // Over ActivityPub it would be an answer to something that nobody else has.
  if ("postAuthor" in outgoing && isInConversation(outgoing))
    return deps.senders.diaspora && person.addresses.seedLocation !== null
      ? "diaspora"
      : undefined;
  const namedByGuidAlone =
    "post" in outgoing &&
    "postAuthor" in outgoing &&
    !isRootHere(outgoing) &&
    outgoing.post.uri === null;
  // Over diaspora* everything goes along, and not the followers alone.
  const goesAlong = outgoing.kind === "move" && outgoing.document !== null;
  return speakWith(deps, person, namedByGuidAlone || goesAlong);
}

function speakWith(
  { senders }: FanOutDeps,
  { protocol, addresses }: Person,
  preferDiaspora = false,
): Protocol | undefined {
  const reachable: Protocol[] = [
    ...(addresses.actorUri !== null && senders.activitypub
      ? (["activitypub"] as const)
      : []),
    ...(addresses.seedLocation !== null && senders.diaspora
      ? (["diaspora"] as const)
      : []),
  ];
  if (preferDiaspora && reachable.includes("diaspora")) return "diaspora";
  return protocol !== null && reachable.includes(protocol)
    ? protocol
    : reachable[0];
}
