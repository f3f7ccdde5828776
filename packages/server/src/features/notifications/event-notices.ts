import type {
  NotificationReason,
  ShareableType,
} from "../../db/schema/columns/notification.ts";
import type { CalendarEvent, Events } from "../events/index.ts";
import type { Fact } from "../facts.ts";
import type { EventId, ParticipationId, PersonId, UserId } from "../ids.ts";
import type { Participations } from "../participations/index.ts";
import type { People } from "../people/index.ts";
import type { Post, Posts } from "../posts/index.ts";

type EventNoticeDeps = {
  readonly people: People;
  readonly posts: Posts;
  readonly events: Events;
  readonly participations: Participations;
};

/** An event notification for a local user. */
type EventNotice = {
  readonly userId: UserId;
  readonly reason: Extract<
    NotificationReason,
    | "event_invitation"
    | "event_changed"
    | "event_answer"
    | "event_cancelled"
    | "event_reply"
  >;
  readonly by: PersonId;
  readonly thing: {
    readonly type: ShareableType;
    readonly guid: string;
    /** Where it is gone. */
    readonly name?: string | undefined;
  };
};

/**
 * Invitations for the recipients of an event, who got it with the post.
 * @returns undefined if the post does not announce a limited event
 */
export async function listEventInvitations(
  deps: EventNoticeDeps,
  { id, eventId, personId }: Post,
): Promise<EventNotice[] | undefined> {
  const { posts, events } = deps;
  const event =
    eventId === null ? undefined : await events.find({ id: eventId });
  if (event?.audience !== "limited" || event.personId !== personId)
    return undefined;
  const [announcement] = await posts.listWithEvent(event.id, personId);
  if (announcement?.id !== id) return undefined;
  const recipients = await events.listRecipientIds(event.id);
  return listNotices(deps, event, "event_invitation", recipients);
}

/** Notifications of a changed event, for its recipients and attendees. */
export async function listChangeNotices(
  deps: EventNoticeDeps,
  eventId: EventId,
): Promise<EventNotice[]> {
  const { events, participations } = deps;
  const event = await events.find({ id: eventId });
  if (!event) return [];
  const concerned = new Set([
    ...(await events.listRecipientIds(event.id)),
    ...(await participations.listAttendingIds(event.id)),
  ]);
  return listNotices(deps, event, "event_changed", [...concerned]);
}

/** Notifies the owner of an answer. */
export async function listAnswerNotices(
  { people, events, participations }: EventNoticeDeps,
  id: ParticipationId,
): Promise<EventNotice[]> {
  const answer = await participations.find({ id });
  const event = answer && (await events.find({ id: answer.eventId }));
  const owner = event && (await people.find({ id: event.personId }));
  if (!answer || !event || owner?.userId == null) return [];
  // The owner itself has just confirmed or refused it.
  const { reply } = answer;
  if (reply === "confirmed" || reply === "refused") return [];
  return [
    {
      userId: owner.userId,
      reason: "event_answer",
      by: answer.personId,
      thing: { type: "Event", guid: event.guid },
    },
  ];
}

/** Notifies a local guest of the host's reply. */
export async function listReplyNotices(
  deps: EventNoticeDeps,
  id: ParticipationId,
): Promise<EventNotice[]> {
  const answer = await deps.participations.find({ id });
  const event = answer && (await deps.events.find({ id: answer.eventId }));
  if (!event || (answer.reply !== "confirmed" && answer.reply !== "refused"))
    return [];
  return listNotices(deps, event, "event_reply", [answer.personId]);
}

/** Notifies the local guests of an event that was deleted before it took place. */
export async function listCancellationNotices(
  { people }: Pick<EventNoticeDeps, "people">,
  fact: Extract<Fact, { type: "event.retracted" }>,
): Promise<EventNotice[]> {
  const { guid, by, guests = [], summary: name } = fact;
  const known = await people.listById(guests);
  return [...known.values()].flatMap(({ userId }) =>
    userId === null
      ? []
      : [
          {
            ...{ userId, by, reason: "event_cancelled" as const },
            thing: { type: "Cancellation" as const, guid, name },
          },
        ],
  );
}

async function listNotices(
  { people, events }: EventNoticeDeps,
  { id, guid, personId }: CalendarEvent,
  reason: EventNotice["reason"],
  concerned: readonly PersonId[],
): Promise<EventNotice[]> {
  const notices: EventNotice[] = [];
  for (const person of (await people.listById(concerned)).values()) {
    const { id: viewerId, userId } = person;
    if (userId === null) continue;
    const viewer = { personId: viewerId, userId };
    if (await events.findVisible({ id }, viewer))
      notices.push({
        userId,
        reason,
        by: personId,
        thing: { type: "Event", guid },
      });
  }
  return notices;
}
