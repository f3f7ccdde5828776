import {
  type Viewer,
  isPostHiddenBy,
  isPostVisibleTo,
} from "../../../features/visibility/index.ts";
import type { Reader } from "../../../db/db.ts";
import type { PostId } from "../../../features/ids.ts";
import type { Page } from "../../../features/page.ts";
import { isNameable } from "./outbox-queries.ts";

type Owner = NonNullable<Viewer>;

/** The number of received posts of a user. */
export async function countInbox(
  reader: Reader,
  owner: Owner,
): Promise<number> {
  const { count } = await selectInbox(reader, owner)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** One page of them, newest first. */
export async function listInbox(
  reader: Reader,
  owner: Owner,
  page: Page,
): Promise<PostId[]> {
  const rows = await selectInbox(reader, owner)
    .select("posts.id")
    .orderBy("posts.id", "desc")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Limited posts that the user received, and public ones of followed people. */
function selectInbox(reader: Reader, { personId, userId }: Owner) {
  return reader
    .selectFrom("posts")
    .innerJoin("people as author", "author.id", "posts.person_id")
    .where("posts.person_id", "!=", personId)
    .where(isPostVisibleTo({ personId, userId }))
    .where(isNameable)
    .where((eb) =>
      eb.or([
        eb("posts.uri", "is not", null),
        eb("author.user_id", "is not", null),
      ]),
    )
    .where((eb) =>
      eb.or([
        eb("posts.public", "=", false),
        userId === null
          ? eb.lit(false)
          : eb.exists(
              eb
                .selectFrom("contacts")
                .select("contacts.id")
                .whereRef("contacts.person_id", "=", "posts.person_id")
                .where("contacts.user_id", "=", userId)
                .where("contacts.following", "=", true),
            ),
      ]),
    )
    .where((eb) => eb.not(isPostHiddenBy(userId)));
}
