import type { EventParticipation } from "@kith/diaspora";
import type { Reader } from "../../db/db.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { PersonId } from "../../features/ids.ts";
import { findEventThread } from "../event-thread.ts";
import { done, type InboundResult } from "../inbound/inbound.ts";
import { isRootHere, type Thread } from "../outgoing.ts";
import {
  findOrDiscover,
  readEditedAt,
  refused,
  resultOf,
  wait,
  waitForPerson,
  type Arrival,
  type ReceiveContext,
} from "./receive-context.ts";
import { keepSignature, refuseAuthor } from "./receive-relayable.ts";
import { refuseRelayable } from "./sender-rules.ts";
import { hostOf } from "./wire-values.ts";

/** Stores whether somebody comes to an event. It belongs to the post that carries the event, and is passed on like a comment on that. */
export async function receiveAnswer(
  context: ReceiveContext,
  entity: EventParticipation,
  { sender }: Arrival,
): Promise<InboundResult> {
  const parent = await findParent(context, entity.parentGuid);
  if (!parent)
    return wait("The event is not here", {
      name: entity.parentGuid,
      isHere: async (reader) =>
        (await findParent(context, entity.parentGuid, reader)) !== undefined,
    });
  const { event, thread } = parent;
  const refusal = refuseRelayable({
    sender: sender.handle,
    author: entity.author,
    rootAuthor: thread.postAuthor.handle,
    isRootHere: isRootHere(thread),
  });
  if (refusal !== undefined) return refused(refusal);
  const author = await findOrDiscover(
    context,
    entity.author,
    hostOf(sender.handle),
  );
  if (!author)
    return waitForPerson(context, entity.author, "The author cannot be found");
  const answeredAt = readEditedAt(context, entity.editedAt);
  const known = await findKnown(context, event, author.id);
  if (known?.status === entity.status) return done("known");
  if (known && answeredAt !== undefined && answeredAt < known.updatedAt)
    return done("ignored: a newer answer is here");
  const target = { ...thread, comment: null };
  const unfit = await refuseAuthor(context, entity, author, target);
  if (unfit !== undefined) return refused(unfit);
  const viewer = { personId: author.id, userId: null };
  const isVisible = await context.events.findVisible(event, viewer);
  if (isRootHere(thread) && !isVisible)
    return refused("the author cannot see the event");
  if (!(await keepSignature(context, entity, target)))
    return refused("the Guid is another author's");
  const { guid, status } = entity;
  const received = await context.participations.receive({
    guid,
    eventId: event.id,
    personId: author.id,
    status,
    ...(answeredAt === undefined ? {} : { answeredAt }),
  });
  return received.kind === "full"
    ? refused("nobody else can come")
    : resultOf(received);
}

/** An event, and the post that its author announced it with. */
type Parent = { readonly event: CalendarEvent; readonly thread: Thread };

async function findParent(
  context: ReceiveContext,
  guid: string,
  reader?: Reader,
): Promise<Parent | undefined> {
  const event = await findNamed(context, guid, reader);
  const thread = event && (await findEventThread(context, event, reader));
  return event && thread && { event, thread };
}

/** Friendica names the post in place of the event. */
async function findNamed(
  { events, posts }: ReceiveContext,
  guid: string,
  reader: Reader | undefined,
): Promise<CalendarEvent | undefined> {
  const named = await events.find({ guid }, reader);
  if (named) return named;
  const post = await posts.find({ guid }, reader);
  if (!post || post.eventId === null) return undefined;
  const carried = await events.find({ id: post.eventId }, reader);
  return carried?.personId === post.personId ? carried : undefined;
}

async function findKnown(
  { participations }: ReceiveContext,
  { id: eventId }: CalendarEvent,
  personId: PersonId,
) {
  return participations.find({ eventId, personId });
}
