import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Viewer } from "./viewer.ts";
import type { Database } from "../../db/schema/schema.ts";
import { isNotBlockedByAuthor, isNotBlockedOrIgnored } from "./blocks.ts";
import { isCalendarSharedWith, type LocalViewer } from "./shared-calendars.ts";
import { isNotSuspended } from "./suspensions.ts";
import type { PersonId } from "../ids.ts";

type Events = ExpressionBuilder<Database, "events">;

/**
 * The one rule for who may see an event and its attendances. A condition on
 * `events`, so that a hidden row never leaves the database.
 *
 * Everyone, the recipients recorded at creation, or the owner alone, by the
 * event's audience; except people whom the owner blocks. Events of suspended
 * owners and blocked servers are hidden from everyone. A shared calendar shows
 * its readers the events that are the owner's alone; those for chosen people
 * stay with these.
 */
export function isEventVisibleTo(viewer: Viewer) {
  return (eb: Events): Expression<SqlBool> => {
    const isForEveryone = eb("events.audience", "=", "everyone");
    const isOwnerShown = isNotSuspended(["events.person_id"]);
    if (viewer === null) return eb.and([isForEveryone, isOwnerShown]);
    const { personId, userId } = viewer;
    return eb.or([
      eb("events.person_id", "=", personId),
      ...(userId === null
        ? []
        : [
            eb.and([
              eb("events.audience", "=", "owner"),
              isInSharedCalendar({ personId, userId }),
            ]),
          ]),
      eb.and([
        eb.or([
          isForEveryone,
          eb.and([
            eb("events.audience", "=", "limited"),
            isRecipient(eb, personId),
          ]),
        ]),
        isNotBlockedByAuthor(personId, ["events.person_id"]),
        isOwnerShown,
      ]),
    ]);
  };
}

/** Is the event in a calendar that its owner shares with the viewer? */
export function isInSharedCalendar(viewer: LocalViewer) {
  return isCalendarSharedWith(viewer, {
    calendar: "events.calendar_id",
    owner: "events.person_id",
  });
}

function isRecipient(eb: Events, personId: PersonId) {
  return eb.exists(
    eb
      .selectFrom("event_recipients")
      .select("event_recipients.event_id")
      .whereRef("event_recipients.event_id", "=", "events.id")
      .where("event_recipients.person_id", "=", personId),
  );
}

/** The viewer has neither blocked nor ignored the owner, so the event comes up in lists. */
export function isEventNotBlockedOrIgnored({ personId }: NonNullable<Viewer>) {
  return isNotBlockedOrIgnored(personId, ["events.person_id"]);
}
