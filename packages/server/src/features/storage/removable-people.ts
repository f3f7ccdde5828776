import { sql } from "kysely";
import type { Db, Reader, Tx } from "../../db/db.ts";
import { forUpdate } from "../../db/dialect.ts";
import { isAfter, isListed } from "../../db/prepared-query.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import { isOfRelay } from "../../db/schema/remote-person.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";

/** Columns that describe the person whom they name, and go with it. */
export const OWN_COLUMNS = [
  "person_keys.person_id",
  "person_words.person_id",
  "profiles.person_id",
  "remote_people.person_id",
] as const;

/** Columns that keep the person whom they name. A reader of an arrival is a recipient, too. */
export const KEEPING_COLUMNS = [
  "aspect_memberships.person_id",
  "blocks.blocked_person_id",
  "blocks.person_id",
  "calendar_shares.person_id",
  "comment_arrivals.author_id",
  "comments.person_id",
  "contacts.person_id",
  "event_recipients.person_id",
  "events.person_id",
  "follow_requests.person_id",
  "held_texts.person_id",
  "host_blocks.person_id",
  "ignores.ignored_person_id",
  "ignores.person_id",
  "likes.person_id",
  "move_documents.person_id",
  "notifications.person_id",
  "participations.person_id",
  "people.moved_to_id",
  "person_decisions.person_id",
  "person_notes.person_id",
  "photos.person_id",
  "poll_votes.person_id",
  "post_arrivals.author_id",
  "post_recipients.person_id",
  "post_subscribers.person_id",
  "posts.person_id",
  "posts.root_person_id",
  "reactions.person_id",
  "reports.person_id",
  "reports.reporter_id",
  "sent_activities.person_id",
  "spam_hits.person_id",
  "strikes.person_id",
  "text_mentions.person_id",
  "tombstones.person_id",
] as const;

/** A column without an index, of a small table: looked through once for many people. */
const WITHOUT_INDEX = "reports.reporter_id";

function isNamedIn(name: string) {
  const [table = "", column = ""] = name.split(".");
  return name === WITHOUT_INDEX
    ? sql`people.id in (select ${sql.ref(column)} from ${sql.table(table)}
        where ${sql.ref(column)} is not null)`
    : sql`exists (select 1 from ${sql.table(table)} as naming
        where ${sql.ref(`naming.${column}`)} = people.id)`;
}

/** Lists people elsewhere above an id, whether or not they may be removed. */
export async function listPeopleAbove(
  reader: Reader,
  above: number,
  limit: number,
): Promise<PersonId[]> {
  const rows = await reader
    .selectFrom("people")
    .select("id")
    .where(isAfter("people.id", above))
    .where("user_id", "is", null)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export type RemovablePerson = {
  readonly id: PersonId;
  /** By which its server knows it. */
  readonly uri: string | null;
};

/** Lists those of the people to whom nothing here has referred since a time. */
export async function listUnneededPeople(
  reader: Reader,
  ids: readonly PersonId[],
  before: Date,
): Promise<RemovablePerson[]> {
  if (ids.length === 0) return [];
  const time = timestamp(before);
  const { rows } = await sql<
    RemovablePerson & { handle: string; guid: string }
  >`
    select people.id, people.handle, people.guid, remote.uri from people
    left join remote_people as remote on remote.person_id = people.id
    where ${isListed(reader, "people.id", JSON.stringify(ids))}
      and people.user_id is null and people.state = 'active'
      and people.moved_to_id is null and people.created_at < ${time}
      and (remote.discovered_at is null or remote.discovered_at < ${time})
      and not (${sql.join(KEEPING_COLUMNS.map(isNamedIn), sql` or `)})
      and not ${isOfRelay("remote.uri")}
    order by people.id`.execute(reader);
  if (rows.length === 0) return [];
  const named = await listNamed(reader);
  return rows
    .filter(
      ({ id, handle, guid }) =>
        ![String(id), handle, guid].some((name) => named.has(name)),
    )
    .map(({ id, uri }) => ({ id, uri }));
}

/** The people whom streams and drafts of people here name: by handle, Guid or id. */
async function listNamed(reader: Reader): Promise<ReadonlySet<string>> {
  const streams = await reader
    .selectFrom("user_streams")
    .select("people")
    .where("people", "!=", "")
    .execute();
  const drafts = await reader.selectFrom("drafts").select("content").execute();
  return new Set([
    ...streams.flatMap(({ people }) => people.split(/[\s,;]+/)),
    ...drafts.flatMap(({ content }) => {
      const { audience } = loadJson(content);
      return audience.kind === "people" ? audience.personIds.map(String) : [];
    }),
  ]);
}

/** The same, locked until the end of the transaction. */
export async function lockUnneededPeople(
  { dialect }: Pick<Db, "dialect">,
  tx: Tx,
  ids: readonly PersonId[],
  before: Date,
): Promise<RemovablePerson[]> {
  const { rows } = await sql`select id from people
    where ${isListed(tx, "people.id", JSON.stringify(ids))}
    order by id ${forUpdate(dialect)}`.execute(tx);
  return rows.length === 0 ? [] : listUnneededPeople(tx, ids, before);
}

/** Bytes of a person with its profile, key, addresses and words. */
export const PERSON_BYTES = 3_000;
