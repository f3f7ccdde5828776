import { sql } from "kysely";
import type { Reader } from "../../db/db.ts";
import type { NotificationReason } from "../../db/schema/columns/notification.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";
import { kindOf, type NotificationChoices } from "./choices.ts";
import { findChoices } from "./choice-store.ts";

/** People are new for 30 days after this server got to know them. */
const NEW_FOR_MS = 30 * 86_400_000;

/** Something that a person did, of which a user may be notified. */
type Act = {
  readonly userId: UserId;
  /** The person of the user. */
  readonly selfId: PersonId;
  readonly by: PersonId;
  readonly reason: NotificationReason;
  readonly postId?: PostId | undefined;
  readonly now: Date;
};

/** Do the choices of the user let it be notified of an act? */
export async function isWanted(reader: Reader, act: Act): Promise<boolean> {
  const kind = kindOf(act.reason);
  if (kind === undefined) return true;
  const choices = await findChoices(reader, act.userId);
  const senders = choices.senders[kind];
  if (senders === "nobody") return false;
  // One's own poll ends by itself.
  if (act.by === act.selfId) return true;
  if (senders === "everyone" && choices.dropped.length === 0) return true;
  const contact = await findContact(reader, act);
  if (senders === "following" && !contact.isFollowed) return false;
  return !(await isDropped(reader, act, choices, contact));
}

type Contact = { readonly isFollowed: boolean; readonly isFollower: boolean };

async function findContact(
  reader: Reader,
  { userId, by }: Act,
): Promise<Contact> {
  const row = await reader
    .selectFrom("contacts")
    .select(["following", "sharing"])
    .where("user_id", "=", userId)
    .where("person_id", "=", by)
    .executeTakeFirst();
  return {
    isFollowed: Boolean(row?.following),
    isFollower: Boolean(row?.sharing),
  };
}

/** People whom the user follows are neither new to it nor strangers. */
async function isDropped(
  reader: Reader,
  act: Act,
  { dropped }: NotificationChoices,
  { isFollowed, isFollower }: Contact,
): Promise<boolean> {
  if (dropped.includes("not_followers") && !isFollower) return true;
  if (isFollowed) return false;
  if (dropped.includes("not_following")) return true;
  if (dropped.includes("new_people") && (await isNew(reader, act))) return true;
  return (
    dropped.includes("private_messages") &&
    act.reason === "message" &&
    !(await hasWritten(reader, act))
  );
}

async function isNew(reader: Reader, { by, now }: Act): Promise<boolean> {
  const row = await reader
    .selectFrom("people")
    .select("created_at")
    .where("id", "=", by)
    .executeTakeFirst();
  const since = timestamp(new Date(now.getTime() - NEW_FOR_MS));
  return row === undefined || row.created_at > since;
}

/** Has the user begun the conversation, or written a message in it? */
async function hasWritten(
  reader: Reader,
  { selfId, postId }: Act,
): Promise<boolean> {
  if (postId === undefined) return false;
  const { rows } = await sql`select 1 where exists (select 1 from posts
      where posts.id = ${postId} and posts.person_id = ${selfId})
    or exists (select 1 from comments
      where comments.post_id = ${postId} and comments.person_id = ${selfId})`.execute(
    reader,
  );
  return rows.length > 0;
}
