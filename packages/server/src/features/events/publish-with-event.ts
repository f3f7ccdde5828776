import type { Tx } from "../../db/db.ts";
import { inTransaction } from "../../db/in-transaction.ts";
import { lockNames } from "../../db/lock-names.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import type { EventId } from "../ids.ts";
import {
  attachAll,
  checkText,
  type Attach,
  type Post,
  type PublishPost,
  type Received,
  type ReceivedPost,
} from "../posts/index.ts";
import { keepRefusal } from "../spam-rules/index.ts";
import { lockEvent } from "./change-event.ts";
import type { EventsDeps } from "./create-event.ts";
import {
  findEvent,
  findVisibleEvent,
  listEventRecipientIds,
} from "./event-queries.ts";
import {
  deleteEvent,
  insertEvent,
  insertEventRecipients,
  updateAudience,
} from "./event-store.ts";
import type { CalendarEvent, EventDetails, EventStatus } from "./event.ts";
import { applyChange } from "./receive-change.ts";

type EventPostDeps = Pick<
  EventsDeps,
  "clock" | "db" | "facts" | "indexing" | "posts"
>;

/**
 * Publishes a post with an event attached. Every recipient of the post must be allowed to
 * see the event.
 * @throws {KithError} `not_found` for an event that the author may not see, `bad_request`
 * for a wider audience; what publishing throws
 */
export async function publishPostWithEvent(
  { db, posts }: EventPostDeps,
  post: Omit<PublishPost, "eventId">,
  eventId: EventId,
  outer?: Tx,
): Promise<Post> {
  checkText(post.text, "post");
  const writing = inTransaction(db, outer, async (tx) => {
    await lockEvent(db, tx, { id: eventId });
    const event = await findVisibleEvent(tx, { id: eventId }, post.author);
    if (!event) throw new KithError("not_found", "No such event.");
    const attach = attachAll(post.attach, fitInto(event));
    return posts.publish({ ...post, eventId, attach }, tx);
  });
  return outer ? writing : keepRefusal(db, writing);
}

/** Attaches nothing more, and checks that all readers of the post may see the event. */
function fitInto({ id, audience, personId }: CalendarEvent): Attach {
  const check: Attach["check"] = async (tx, { isPublic, recipients }) => {
    if (audience === "everyone") return;
    const invited = new Set(await listEventRecipientIds(tx, id));
    invited.add(personId);
    if (isPublic || recipients.some((reader) => !invited.has(reader)))
      throw new KithError(
        "bad_request",
        "More people would see the post than may see the event.",
      );
  };
  return Object.assign(() => Promise.resolve(), { check });
}

/** A remote event, as received with a post. */
export type ReceivedEvent = EventDetails & {
  readonly guid: string;
  readonly uid: string;
  /** When its author changed it, if the message says so. */
  readonly editedAt?: Timestamp | undefined;
  readonly status?: EventStatus;
  /** The number of places; null if unlimited, absent if the remote server does not say. */
  readonly capacity?: number | null;
  /** Absent if the remote server does not say. */
  readonly needsApproval?: boolean;
  readonly categories?: readonly string[];
};

/**
 * Stores a remote post and the event attached to it, both by the same author and for the
 * same audience.
 */
export async function receivePostWithEvent(
  deps: EventPostDeps,
  post: ReceivedPost,
  { editedAt, ...received }: ReceivedEvent,
): Promise<Received<Post>> {
  const { db, clock, facts, posts } = deps;
  const { guid } = received;
  return db.transaction(async (tx) => {
    await lockNames(tx, db.dialect, [guid]);
    const known = await findEvent(tx, { guid });
    if (known && known.personId !== post.personId)
      return { kind: "refused", reason: "The event is another author's" };
    const { personId, createdAt } = post;
    const eventId =
      known?.id ??
      (await insertEvent(
        tx,
        {
          ...received,
          personId,
          createdAt,
          updatedAt: editedAt ?? post.updatedAt ?? createdAt,
          calendarId: null,
          aspectId: null,
          audience: post.public ? "everyone" : "limited",
          public: post.public,
        },
        clock.now(),
      ));
    const result = await posts.receive({ ...post, eventId }, tx);
    if (result.kind !== "refused" && result.value.eventId === eventId) {
      await widen(tx, eventId, known, post);
      if (known && editedAt !== undefined)
        await applyChange(deps, tx, known, personId, received, editedAt);
      await facts.noteArrival(tx, [guid]);
    } else if (!known) await deleteEvent(tx, eventId);
    return result;
  });
}

/** Every recipient of the post becomes a recipient of the event. */
async function widen(
  tx: Tx,
  id: EventId,
  known: CalendarEvent | undefined,
  post: ReceivedPost,
): Promise<void> {
  if (!post.public) await insertEventRecipients(tx, id, post.recipients);
  else if (known && known.audience !== "everyone")
    await updateAudience(tx, id, "everyone");
}
