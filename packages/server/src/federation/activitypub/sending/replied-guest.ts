import type { CalendarEvent, Events } from "../../../features/events/index.ts";
import type { Fact } from "../../../features/facts.ts";
import type {
  Participation,
  Participations,
} from "../../../features/participations/index.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Posts } from "../../../features/posts/index.ts";
import { findEventThread } from "../../outbound/event-thread.ts";
import { isRootHere, type Thread } from "../../outbound/outgoing.ts";

export type RepliedGuestDeps = {
  readonly events: Pick<Events, "find">;
  readonly participations: Pick<Participations, "find">;
  readonly people: People;
  readonly posts: Posts;
};

/** A remote guest to whom the organizer of an event here has replied. */
type RepliedGuest = {
  readonly answer: Participation;
  readonly event: CalendarEvent;
  readonly guest: Person;
  /** The post that announced the event; its author is the organizer. */
  readonly thread: Thread;
};

/** @returns undefined for other facts, and where something of it is gone or suspended */
export async function findRepliedGuest(
  deps: RepliedGuestDeps,
  fact: Fact,
): Promise<RepliedGuest | undefined> {
  if (fact.type !== "participation.replied") return undefined;
  const { events, participations, people } = deps;
  const answer = await participations.find({ id: fact.participationId });
  const event = answer && (await events.find({ id: answer.eventId }));
  const thread = event && (await findEventThread(deps, event));
  const guest = answer && (await people.find({ id: answer.personId }));
  if (guest?.userId !== null || !thread || !isRootHere(thread))
    return undefined;
  return thread.postAuthor.state === "active"
    ? { answer, event, guest, thread }
    : undefined;
}
