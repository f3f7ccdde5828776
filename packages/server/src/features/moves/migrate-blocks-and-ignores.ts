import type { Db } from "../../db/db.ts";
import type { Blocks } from "../blocks/index.ts";
import type { People, Person } from "../people/index.ts";
import { listSomeDistances, type Distance } from "./move-queries.ts";

export type MigrateBlocksAndIgnoresDeps = {
  readonly db: Db;
  readonly people: People;
  readonly blocks: Blocks;
};

/**
 * Copies blocks and ignores by and of the moved person to the new one: a move neither
 * evades a block nor loses one. The old person's remain.
 * @returns true if more are left
 */
export async function migrateBlocksAndIgnores(
  deps: MigrateBlocksAndIgnoresDeps,
  from: Person,
  to: Person,
  limit: number,
): Promise<boolean> {
  const { db, blocks } = deps;
  const some = await listSomeDistances(
    db.read,
    "blocks",
    from.id,
    to.id,
    limit,
  );
  for (const distance of some) await migrateBlock(deps, distance);
  if (some.length > 0) return true;
  const ignores = await listSomeDistances(
    db.read,
    "ignores",
    from.id,
    to.id,
    limit,
  );
  await db.transaction(async (tx) => {
    for (const { by, of, endsAt } of ignores)
      await blocks.copyIgnore(tx, by, of, endsAt);
    if (to.userId !== null)
      await blocks.copyHosts(tx, from.id, {
        userId: to.userId,
        personId: to.id,
      });
  });
  return ignores.length > 0;
}

/** Blocks as if anew: ends contacts with the new person and notifies the remote server. */
async function migrateBlock(
  { db, people, blocks }: MigrateBlocksAndIgnoresDeps,
  { by, of }: Distance,
): Promise<void> {
  const found = await people.listById([by, of]);
  const [blocker, blocked] = [found.get(by), found.get(of)];
  if (!blocker || !blocked) return;
  const areHere = blocker.state === "active" && blocked.state === "active";
  if (areHere && blocker.userId !== null)
    await blocks.block({ userId: blocker.userId, personId: by }, of);
  else if (areHere && blocked.userId !== null)
    await blocks.receive(
      blocker,
      { userId: blocked.userId, personId: of },
      true,
    );
  else await db.transaction((tx) => blocks.copyBlock(tx, by, of));
}
