import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import type { Database } from "../../db/schema/schema.ts";
import {
  isNotBlockedByAuthor,
  isShown,
  isNotBlockedOrIgnored,
} from "./conditions.ts";
import type { PersonId } from "../ids.ts";
import type { Viewer } from "../posts/index.ts";

type Events = ExpressionBuilder<Database, "events">;

/**
 * The one rule for who may see an event, and with it the answers to it. A
 * condition on `events`, so that what may not be seen never leaves the database.
 *
 * Everyone, or those whom it was given to when it was made, or its owner alone;
 * and nobody whom its owner has blocked; nobody at all where the owner's server
 * is blocked here.
 */
export function isEventVisibleTo(viewer: Viewer) {
  return (eb: Events): Expression<SqlBool> => {
    const isForEveryone = eb("events.audience", "=", "everyone");
    const isOwnerShown = isShown(["events.person_id"]);
    if (viewer === null) return eb.and([isForEveryone, isOwnerShown]);
    const { personId } = viewer;
    return eb.or([
      eb("events.person_id", "=", personId),
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

function isRecipient(eb: Events, personId: PersonId) {
  return eb.exists(
    eb
      .selectFrom("event_recipients")
      .select("event_recipients.event_id")
      .whereRef("event_recipients.event_id", "=", "events.id")
      .where("event_recipients.person_id", "=", personId),
  );
}

/** What does not come up in the lists of somebody who wants nothing of its owner, or does not want to read it. */
export function isWantedBy({ personId }: NonNullable<Viewer>) {
  return isNotBlockedOrIgnored(personId, ["events.person_id"]);
}
