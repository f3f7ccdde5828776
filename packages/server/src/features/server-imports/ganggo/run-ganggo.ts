import {
  openForeign,
  type ForeignDatabase,
} from "../../../db/foreign/foreign-database.ts";
import { OperatorError } from "../../../lib/errors.ts";
import { countImported, type ServerImportReport } from "../import-outcomes.ts";
import type { ServerImportRun, ServerImportsDeps } from "../server-import.ts";
import { checkGanggo, textIn } from "./ganggo-rows.ts";
import { takeComments, takeLikes } from "./take-answers.ts";
import { takeAspects, takeFollowers, takeMembers } from "./take-contacts.ts";
import { takeStreams, takeTags } from "./take-lists.ts";
import { hostOfHandle, takeAccounts } from "./take-people.ts";
import { takePosts } from "./take-posts.ts";

export type RunGanggoImport = {
  /** The address of a PostgreSQL, or a file of SQLite. */
  readonly place: string;
  /** Report what an import would do, and change nothing. */
  readonly isRehearsal: boolean;
  /** Is called with how many records are done, and how many there are. */
  readonly onProgress?: (done: number, ofAll: number) => void;
};

type Step = readonly [
  table: string,
  take: (
    deps: ServerImportsDeps,
    run: ServerImportRun,
    database: ForeignDatabase,
  ) => Promise<void>,
];

/** Each needs what those before it have brought. */
const STEPS: readonly Step[] = [
  ["users", takeAccounts],
  ["aspects", takeAspects],
  ["aspect_memberships", takeMembers],
  ["contacts", takeFollowers],
  ["posts", takePosts],
  ["comments", takeComments],
  ["likes", takeLikes],
  ["user_taggings", takeTags],
  ["user_streams", takeStreams],
];

/**
 * Takes over a server of GangGo. It may be stopped at any record and run again: what is here
 * already is found by its Guid, and stays as it is.
 * @throws {OperatorError} for a database that is not GangGo's, or of another domain
 */
export async function runGanggoImport(
  deps: ServerImportsDeps,
  { place, isRehearsal, onProgress }: RunGanggoImport,
): Promise<ServerImportReport> {
  const database = await openForeign(place);
  try {
    const tables = await checkGanggo(database);
    await checkHost(deps, database);
    const steps = STEPS.filter(([table]) => tables.has(table));
    const total = await countRows(database, steps);
    const outcomes = countImported();
    let done = 0;
    const run = {
      ...{ isRehearsal, outcomes },
      tick: () => onProgress?.((done += 1), total),
      ...{ accounts: new Map(), people: new Map(), aspects: new Map() },
      ...{ posts: new Map(), comments: new Map() },
    };
    for (const [, take] of steps) await take(deps, run, database);
    return outcomes.report();
  } finally {
    await database.close();
  }
}

/** An account keeps its handle, so the domain has to be the same. */
async function checkHost(
  { handleHost }: ServerImportsDeps,
  database: ForeignDatabase,
): Promise<void> {
  const rows = await database.read(
    "select people.author from users join people on people.id = users.person_id order by users.id limit 1000",
  );
  const hosts = new Set(rows.map((row) => hostOfHandle(textIn(row, "author"))));
  if (hosts.size === 0 || hosts.has(handleHost)) return;
  throw new OperatorError(
    `The database is of ${[...hosts].join(", ")}, and this server is ${handleHost}: a server moves here under its own domain alone.`,
  );
}

async function countRows(
  database: ForeignDatabase,
  steps: readonly Step[],
): Promise<number> {
  let total = 0;
  for (const [table] of steps) {
    const [row] = await database.read(
      `select count(*) as all_of_it from ${table}`,
    );
    total += Number(row?.["all_of_it"] ?? 0);
  }
  return total;
}
