import {
  participantsOf,
  type Conversation,
  type Message,
} from "@kith/diaspora";
import type { Reader } from "../../../db/db.ts";
import { MAX_PARTICIPANTS } from "../../../features/conversations/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import {
  readWarning,
  type Post,
  type ReceivedPost,
} from "../../../features/posts/index.ts";
import type { Missing } from "../../../jobs/job.ts";
import { receivedTimestamp } from "../../../lib/time/clock.ts";
import { storableText } from "../../../lib/well-formed.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { addOthers } from "../fetch/find-participants.ts";
import { followLinks } from "../records/follow-links.ts";
import {
  isAdmitted,
  refused,
  resultOf,
  REFUSED_OVER_QUOTA,
  wait,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";

/**
 * Servers begin a conversation with its first message; each message is sent to
 * all participants.
 */
export const MAX_MESSAGES = 50;

/**
 * Stores a private conversation as a limited post by its author, with its subject as the
 * content warning, for each local recipient separately (protocol section 10.17). Its sender is its author, and
 * the recipient is one of its participants. As on a pod, only contacts of the
 * recipient can begin one.
 */
export async function receiveConversation(
  context: ReceiveContext,
  entity: Conversation,
  arrival: Arrival,
): Promise<InboundResult> {
  const { sender, owner } = arrival;
  const participants = [...new Set(participantsOf(entity))].sort();
  if (participants.length > MAX_PARTICIPANTS)
    return refused("too many take part");
  if (entity.messages.length > MAX_MESSAGES)
    return refused("too many messages");
  if (owner === null || !(await isContact(context, owner, sender)))
    return done("ignored: not by a contact of the recipient");
  const [first, ...more] = entity.messages;
  const received = await context.posts.receive({
    ...readConversation(context, entity, participants, sender),
    recipients: [owner.id],
    mentioned: [owner.id],
  });
  if (received.kind === "refused") return resultOf(received);
  if (received.kind === "stored" && first)
    await followLinks(context, first.text, arrival);
  for (const message of more)
    await storeMessage(context, message, arrival, received.value);
  await addOthers(context, received.value);
  return resultOf(received);
}

async function isContact(
  { contacts }: ReceiveContext,
  { userId }: Person,
  { id }: Person,
): Promise<boolean> {
  const contact = userId === null ? undefined : await contacts.find(userId, id);
  return contact?.following === true;
}

function readConversation(
  { clock }: ReceiveContext,
  { guid, subject, messages, createdAt }: Conversation,
  participants: readonly string[],
  author: Person,
): Omit<ReceivedPost, "recipients"> {
  return {
    guid,
    personId: author.id,
    type: "post",
    keepGuid: true,
    public: false,
    listed: false,
    text: storableText(messages[0]?.text ?? ""),
    warning: readWarning(subject),
    providerName: "",
    rootGuid: null,
    rootPersonId: null,
    uri: null,
    url: null,
    participants,
    createdAt: receivedTimestamp(createdAt, clock.now()),
  };
}

/**
 * Stores a message as a comment on its conversation. Its sender is its author,
 * who is a participant, as is the recipient; it may arrive before the
 * conversation.
 */
export async function receiveMessage(
  context: ReceiveContext,
  entity: Message,
  arrival: Arrival,
): Promise<InboundResult> {
  const { posts } = context;
  const { sender, owner } = arrival;
  const missing: Missing = {
    name: entity.conversationGuid,
    isHere: (reader) => isReader(context, entity, owner, reader),
  };
  const post = await posts.find({ guid: entity.conversationGuid });
  if (!post) return wait("Its conversation is not here", missing);
  if (post.participants === null) return refused("not about a conversation");
  const readers = await posts.listRecipientIds(post.id);
  const isKnown = post.personId === sender.id || readers.includes(sender.id);
  if (!isKnown && !post.participants.includes(sender.handle))
    return refused("the sender does not take part");
  if (owner === null || ![post.personId, ...readers].includes(owner.id))
    return wait("The recipient does not have its conversation", missing);
  if (!isKnown) await posts.addRecipient(post.id, sender.id);
  return storeMessage(context, entity, arrival, post);
}

/** Has the recipient got the conversation of a message? */
async function isReader(
  { posts }: ReceiveContext,
  { conversationGuid: guid }: Message,
  owner: Person | null,
  reader: Reader,
): Promise<boolean> {
  const post = await posts.find({ guid }, reader);
  if (!post || owner === null) return false;
  const readers = await posts.listRecipientIds(post.id, reader);
  return [post.personId, ...readers].includes(owner.id);
}

async function storeMessage(
  context: ReceiveContext,
  { guid, text: written, createdAt }: Message,
  arrival: Arrival,
  { id: postId }: Post,
): Promise<InboundResult> {
  const { sender } = arrival;
  if (!(await isAdmitted(context, arrival))) return REFUSED_OVER_QUOTA;
  const text = storableText(written);
  const received = await context.comments.receive({
    guid,
    postId,
    personId: sender.id,
    text,
    parentGuid: null,
    uri: null,
    createdAt: receivedTimestamp(createdAt, context.clock.now()),
    mentioned: await listReadersHere(context, postId, sender),
  });
  // A comment of this author on something else is not in this conversation.
  if (received.kind === "known" && received.value.postId !== postId)
    return refused("the Guid is that of a comment elsewhere");
  if (received.kind === "stored") await followLinks(context, text, arrival);
  return resultOf(received);
}

/** A message is addressed to each participant, as if it mentioned them. */
async function listReadersHere(
  { people, posts }: ReceiveContext,
  postId: Post["id"],
  sender: Person,
): Promise<PersonId[]> {
  const found = await people.listById(await posts.listRecipientIds(postId));
  return [...found.values()]
    .filter(({ id, userId }) => userId !== null && id !== sender.id)
    .map(({ id }) => id);
}
