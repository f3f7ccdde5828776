import type {
  ForeignDatabase,
  ForeignRow,
} from "../../../db/foreign/foreign-database.ts";
import type { PersonId } from "../../ids.ts";
import type { PostToTakeOver } from "../../posts/index.ts";
import type {
  Arrived,
  ServerImportRun,
  ServerImportsDeps,
} from "../server-import.ts";
import { numberIn, isTrueIn, timeIn } from "./ganggo-rows.ts";
import { personOf } from "./take-people.ts";

type Whom = Pick<
  PostToTakeOver,
  "aspects" | "limitedTo" | "public" | "recipients"
> & {
  /** Is a limited post for its author alone, because its recipients are unknown? */
  readonly isNarrowed: boolean;
};

export function isForAll(post: ForeignRow): boolean {
  return isTrueIn(post, "public");
}

/**
 * The readers of a post: never more people than there. Of the accounts these are those to whom
 * GangGo shows it; of people elsewhere the members of its aspects, but for those who joined later.
 * @returns undefined for a limited post by somebody elsewhere that nobody here may read
 */
export async function readersOf(
  deps: ServerImportsDeps,
  run: ServerImportRun,
  database: ForeignDatabase,
  post: ForeignRow,
  author: Arrived,
): Promise<Whom | undefined> {
  const limited = { public: false, limitedTo: null, aspects: [] } as const;
  if (isForAll(post))
    return { ...limited, public: true, recipients: [], isNarrowed: false };
  const readers = await listReadersHere(run, database, post, author);
  if (!author.isLocal)
    return readers.count === 0
      ? undefined
      : { ...limited, recipients: readers.ids, isNarrowed: false };
  const aspects = await listAspects(run, database, post);
  if (aspects.length === 0)
    return { ...limited, limitedTo: "self", recipients: [], isNarrowed: true };
  const elsewhere: PersonId[] = [];
  for (const { key } of aspects)
    for (const member of await listMembers(database, key, post)) {
      const person = await personOf(deps, run, database, member);
      if (typeof person !== "string" && !person.isLocal && person.id !== null)
        elsewhere.push(person.id);
    }
  return {
    ...{ public: false, limitedTo: "aspects", isNarrowed: false },
    aspects: aspects.flatMap(({ id, name }) =>
      id === null ? [] : { id, name },
    ),
    recipients: [...new Set([...readers.ids, ...elsewhere])],
  };
}

async function listReadersHere(
  run: ServerImportRun,
  database: ForeignDatabase,
  post: ForeignRow,
  author: Arrived,
): Promise<{ readonly ids: PersonId[]; readonly count: number }> {
  const rows = await database.read(
    "select user_id from shareables where shareable_id = ?1 and shareable_type = 'Post'",
    [numberIn(post, "id")],
  );
  const readers = rows
    .map((row) => run.accounts.get(numberIn(row, "user_id")))
    .filter((it) => it !== undefined && it !== author);
  const ids = readers.flatMap((it) => it?.id ?? []);
  return { ids, count: readers.length };
}

/** The aspects of the author that a post is limited to. */
async function listAspects(
  run: ServerImportRun,
  database: ForeignDatabase,
  post: ForeignRow,
) {
  const rows = await database.read(
    "select aspect_id from aspect_visibilities where shareable_id = ?1 and shareable_type = 'Post' order by id",
    [numberIn(post, "id")],
  );
  const authorId = numberIn(post, "person_id");
  return rows.flatMap((row) => {
    const key = numberIn(row, "aspect_id");
    const aspect = run.aspects.get(key);
    if (!aspect) return [];
    const owner = run.accounts.get(aspect.userId);
    return owner && run.people.get(authorId) === owner
      ? [{ ...aspect, key }]
      : [];
  });
}

/** Somebody who joined the aspect later did not get the post. */
async function listMembers(
  database: ForeignDatabase,
  aspectId: number,
  post: ForeignRow,
): Promise<number[]> {
  const rows = await database.read(
    "select * from aspect_memberships where aspect_id = ?1",
    [aspectId],
  );
  const postedAt = timeIn(post, "created_at") ?? "";
  return rows
    .filter((row) => (timeIn(row, "created_at") ?? "9") <= postedAt)
    .map((row) => numberIn(row, "person_id"));
}
