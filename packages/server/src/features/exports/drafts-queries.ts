import type { Reader } from "../../db/db.ts";
import { isListed } from "../../db/prepared-query.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { DraftContent } from "../drafts/index.ts";
import type { AspectId } from "../ids.ts";
import type { Keyed } from "./export-file.ts";
import { pageAfter } from "./page-after.ts";

/** Posts that are not published yet; their pictures are among the photos. */
export async function listExportedDrafts(
  reader: Reader,
  { userId }: SignedIn,
  afterId: number,
  limit: number,
): Promise<Keyed[]> {
  const rows = await reader
    .selectFrom("drafts")
    .selectAll()
    .where("user_id", "=", userId)
    .$call(pageAfter("id", afterId, limit))
    .execute();
  const contents = rows.map(({ content }) => loadJson(content));
  const names = await nameParts(reader, contents);
  const described = contents.map((content) => describe(content, names));
  return rows.map((row, at) => ({
    key: row.id,
    record: {
      ...described[at],
      publishAt: row.publish_at,
      failedReason: row.failed_reason,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }));
}

type Names = Awaited<ReturnType<typeof nameParts>>;

/** The names that other things have elsewhere, in place of our own keys. */
function describe(
  { audience, photoIds, eventId, quoteId, ...words }: DraftContent,
  { aspects, people, photos, events, posts }: Names,
): object {
  return {
    ...words,
    audience: {
      kind: audience.kind,
      ...(audience.kind === "aspects" && {
        aspects: audience.aspectIds.flatMap((id) => aspects.get(id) ?? []),
      }),
      ...(audience.kind === "people" && {
        people: audience.personIds.flatMap((id) => people.get(id) ?? []),
      }),
    },
    photos: photoIds.flatMap((id) => photos.get(id) ?? []),
    eventGuid: eventId === null ? null : (events.get(eventId) ?? null),
    quotedGuid: quoteId === null ? null : (posts.get(quoteId) ?? null),
  };
}

async function nameParts(reader: Reader, contents: readonly DraftContent[]) {
  const audiences = contents.map(({ audience }) => audience);
  const nameIn = (
    table: Named,
    idsOf: (content: DraftContent) => readonly number[],
  ) => listNames(reader, table, contents.flatMap(idsOf));
  return {
    aspects: await nameAspects(
      reader,
      audiences.flatMap((it) => (it.kind === "aspects" ? it.aspectIds : [])),
    ),
    people: await nameIn("people", ({ audience }) =>
      audience.kind === "people" ? audience.personIds : [],
    ),
    photos: await nameIn("photos", ({ photoIds }) => photoIds),
    events: await nameIn("events", ({ eventId }) =>
      eventId === null ? [] : [eventId],
    ),
    posts: await nameIn("posts", ({ quoteId }) =>
      quoteId === null ? [] : [quoteId],
    ),
  };
}

/** The names of aspects, by their ids. */
export async function nameAspects(
  reader: Reader,
  ids: readonly AspectId[],
): Promise<Map<AspectId, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reader
    .selectFrom("aspects")
    .select(["id", "name"])
    .where(isListed(reader, "id", JSON.stringify(ids)))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

type Named = "events" | "people" | "photos" | "posts";

/** The handles of people, and the Guids of everything else. */
async function listNames(
  reader: Reader,
  table: Named,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const isWanted = isListed(reader, "id", JSON.stringify(ids));
  const rows: { id: number; name: string }[] = await (
    table === "people"
      ? reader
          .selectFrom(table)
          .select(["id", "handle as name"])
          .where(isWanted)
      : reader.selectFrom(table).select(["id", "guid as name"]).where(isWanted)
  ).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
