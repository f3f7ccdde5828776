import type { EventParticipation } from "@kith/diaspora";
import type { Reader } from "../../../db/db.ts";
import type { CalendarEvent } from "../../../features/events/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import {
  isOutdated,
  type Participation,
} from "../../../features/participations/index.ts";
import { findEventThread } from "../../outbound/event-thread.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import { isRootHere, type Thread } from "../../outbound/outgoing.ts";
import {
  findOrDiscover,
  readEditedAt,
  refused,
  resultOf,
  wait,
  waitForPerson,
  type Arrival,
  type ReceiveContext,
} from "../authority/receive-context.ts";
import { keepSignature, refuseAuthor } from "./receive-relayable.ts";
import { deleteSignatures } from "../records/relayable-store.ts";
import { refuseRelayable } from "../authority/sender-rules.ts";
import { hostOf } from "../render/wire-values.ts";

/**
 * Stores whether a person attends an event. The answer belongs to the post with
 * the event, and is relayed like a comment on it.
 */
export async function receiveEventParticipation(
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
  const { guid, status } = entity;
  const answer = {
    ...{ guid, status, eventId: event.id, personId: author.id },
    ...(answeredAt === undefined ? {} : { answeredAt }),
  };
  const known = await findKnown(context, event, author.id);
  if (known && isSame(known, answer)) return done("known");
  // Before its signature replaces the stored one.
  if (known && isOutdated(known, answer))
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
  const received = await context.participations.receive(answer);
  if (received.kind === "stored" && known && known.guid !== guid)
    await deleteSignatures(context.db, "EventParticipation", [known.guid]);
  return received.kind === "full"
    ? refused("nobody else can come")
    : resultOf(received);
}

/** The stored answer again: a change of its time alone would need a proof. */
function isSame(
  known: Participation,
  {
    guid,
    status,
    answeredAt = null,
  }: Pick<Participation, "guid" | "status"> & {
    readonly answeredAt?: Participation["statedAt"];
  },
): boolean {
  return (
    known.guid === guid &&
    known.status === status &&
    (answeredAt === null || answeredAt === known.statedAt)
  );
}

/** An event, and the post with which its author announced it. */
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

/** Friendica names the post instead of the event. */
async function findNamed(
  { events, posts }: ReceiveContext,
  guid: string,
  reader: Reader | undefined,
): Promise<CalendarEvent | undefined> {
  const named = await events.find({ guid }, reader);
  if (named) return named;
  const post = await posts.find({ guid }, reader);
  if (!post || post.eventId === null) return undefined;
  const attached = await events.find({ id: post.eventId }, reader);
  return attached?.personId === post.personId ? attached : undefined;
}

async function findKnown(
  { participations }: ReceiveContext,
  { id: eventId }: CalendarEvent,
  personId: PersonId,
) {
  return participations.find({ eventId, personId });
}
