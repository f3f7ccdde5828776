import type { Db, Reader } from "../../../db/db.ts";
import { isOneOf } from "../../../db/dialect.ts";
import { dialectOf, prepareQuery } from "../../../db/prepared-query.ts";
import { keepValues, type WriteWatch } from "../../freshness/index.ts";
import {
  createViewerDistances,
  isNotSuspendedAmongMany,
  type Viewer,
} from "../../visibility/index.ts";
import { countReshares } from "./count-reshares.ts";

const MAX_POSTS = 10_000;

/** The reshares of a post by people who are shown. */
type Totals = { readonly public: number; readonly limited: number };
type Row = { root_guid: string | null; all: number; public: number };

const TOTALS = prepareQuery<{ guids: string }, Row>(
  (reader, value) =>
    reader
      .selectFrom("posts")
      .select([
        "root_guid",
        (eb) => eb.fn.countAll<number>().as("all"),
        (eb) =>
          eb.fn
            .countAll<number>()
            .filterWhere("public", "=", true)
            .as("public"),
      ])
      .where(isOneOf(dialectOf(reader), "posts.root_guid", value("guids")))
      .where(isNotSuspendedAmongMany("posts.person_id"))
      .groupBy("root_guid")
      .compile(),
  { types: { guids: "text" } },
);

/**
 * Counts reshares as `countReshares` does, but those of a post that many people reshared only
 * once: most viewers may see the same ones.
 */
export function createReshareCounts(db: Db, watch: WriteWatch) {
  const totals = keepValues<string, Totals>(
    watch,
    ({ names }) => names,
    MAX_POSTS,
  );
  const own = keepValues<string, number>(
    watch,
    ({ names }) => names,
    MAX_POSTS,
  );
  const findDistance = createViewerDistances(db, watch);
  return async (
    guids: readonly string[],
    viewer: Viewer,
  ): Promise<Map<string, number>> => {
    const all = await totals.read("", guids, (missing) =>
      readTotals(db.read, missing),
    );
    const shown = new Map(
      [...all].map(([guid, { public: count }]) => [guid, count]),
    );
    if (viewer === null) return shown;
    const { personId } = viewer;
    const reshared = [...all].filter(([, it]) => it.public + it.limited > 0);
    if (reshared.length === 0) return shown;
    const { isAvoided } = await findDistance(personId);
    const different = reshared
      .filter(([, { limited }]) => isAvoided || limited > 0)
      .map(([guid]) => guid);
    const counts = await own.read(String(personId), different, (missing) =>
      withZeros(missing, countReshares(db.read, missing, viewer)),
    );
    return new Map([...shown, ...counts]);
  };
}

async function readTotals(
  reader: Reader,
  guids: readonly string[],
): Promise<Map<string, Totals>> {
  const rows = await TOTALS(reader, { guids: JSON.stringify(guids) });
  const found = new Map(rows.map((row) => [row.root_guid, row]));
  return new Map(
    guids.map((guid) => {
      const row = found.get(guid);
      const count = Number(row?.public ?? 0);
      return [guid, { public: count, limited: Number(row?.all ?? 0) - count }];
    }),
  );
}

async function withZeros(
  guids: readonly string[],
  counting: Promise<ReadonlyMap<string, number>>,
): Promise<Map<string, number>> {
  const counts = await counting;
  return new Map(guids.map((guid) => [guid, counts.get(guid) ?? 0]));
}
