import { type Viewer, isPostVisibleAmongMany } from "../../visibility/index.ts";
import type { Reader } from "../../../db/db.ts";
import { isOneOf } from "../../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../../db/prepared-query.ts";
import type { PersonId } from "../../ids.ts";

type Counted = { root_guid: string | null; count: number };

const selectCounts = (reader: Reader, guids: string, viewer: Viewer) =>
  reader
    .selectFrom("posts")
    .select(["root_guid", (eb) => eb.fn.countAll<number>().as("count")])
    .where(isOneOf(dialectOf(reader), "posts.root_guid", guids))
    .where(isPostVisibleAmongMany(viewer))
    .groupBy("root_guid");

const countForAll = prepareQuery<{ guids: string }, Counted>((reader, value) =>
  selectCounts(reader, value("guids"), null).compile(),
);
const countFor = prepareQuery<{ guids: string; personId: PersonId }, Counted>(
  (reader, value) => {
    const personId = value("personId");
    const viewer = { personId, userId: null };
    return selectCounts(reader, value("guids"), viewer).compile();
  },
);

/** Counts, by Guid, the reshares of each of these posts that the viewer finds in its list. */
export async function countReshares(
  reader: Reader,
  guids: readonly string[],
  viewer: Viewer,
): Promise<Map<string, number>> {
  if (guids.length === 0) return new Map();
  const wanted = { guids: JSON.stringify(guids) };
  const rows = await (viewer === null
    ? countForAll(reader, wanted)
    : countFor(reader, { ...wanted, personId: viewer.personId }));
  return new Map(rows.map((row) => [row.root_guid ?? "", Number(row.count)]));
}
