import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import {
  createTestDatabase,
  type DatabaseKind,
  type TestDatabase,
} from "../../packages/server/test/support/server/databases.ts";
import {
  takeSnapshot,
  type Snapshot,
} from "../../packages/server/test/support/server/snapshot.ts";

/** Every row of a stopped server. */
export async function snapshotOf({
  location,
}: Pick<TestDatabase, "location">): Promise<Snapshot> {
  const db = await openDatabase(location);
  try {
    return await takeSnapshot(db);
  } finally {
    await db.close();
  }
}

/** Runs `use` with an empty place for a server, and removes it. */
export async function inEmptyPlace<T>(
  kind: DatabaseKind,
  use: (place: TestDatabase) => Promise<T>,
): Promise<T> {
  const place = await createTestDatabase(kind);
  try {
    return await use(place);
  } finally {
    await place.remove();
  }
}
