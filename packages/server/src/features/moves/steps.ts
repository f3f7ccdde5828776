import type { Db, Tx } from "../../db/db.ts";
import type { PersonId } from "../ids.ts";
import {
  migrateContacts,
  type MigrateContactsDeps,
} from "./migrate-contacts.ts";
import {
  migrateBlocksAndIgnores,
  type MigrateBlocksAndIgnoresDeps,
} from "./migrate-blocks-and-ignores.ts";
import type { MoveInProgress, MovingStep } from "./move-job.ts";
import {
  OWNED_TABLES,
  reassignSome,
  listPhotosOutside,
  takeOutOfCalendars,
  updatePhotoUrls,
} from "./move-store.ts";

export type MovingStepsDeps = MigrateContactsDeps &
  MigrateBlocksAndIgnoresDeps & {
    /** What is left of somebody, once it has moved with all that it had, goes. */
    readonly clearUp: (tx: Tx, personId: PersonId) => Promise<void>;
  };

/**
 * What a move does here, whichever protocol it came by: who is kept away stays
 * away, then contacts follow, and at last, where it all goes along, everything
 * that the old person made or was given is the new one's. Blocks come first: at
 * no moment does anybody see more than before.
 */
export function createMovingSteps(deps: MovingStepsDeps): MovingStep[] {
  const { db } = deps;
  return [
    {
      name: "distance",
      run: ({ from, to }, limit) =>
        migrateBlocksAndIgnores(deps, from, to, limit),
    },
    {
      name: "contacts",
      run: (move, limit) => migrateContacts(deps, move, limit),
    },
    {
      name: "pictures",
      run: (move, limit) => movePictures(db, move, limit),
    },
    {
      name: "belongings",
      run: (move, limit) => handOver(db, move, limit),
    },
    {
      name: "rest",
      run: async ({ from, withContent }) => {
        if (withContent)
          await db.transaction((tx) => deps.clearUp(tx, from.id));
        return false;
      },
    },
  ];
}

async function handOver(
  db: Db,
  { from, to, withContent }: MoveInProgress,
  limit: number,
): Promise<boolean> {
  if (!withContent) return false;
  if (from.userId !== null)
    await db.transaction((tx) => takeOutOfCalendars(tx, from.id));
  for (const belonging of OWNED_TABLES) {
    const count = await db.transaction((tx) =>
      reassignSome(tx, belonging, from.id, to.id, limit),
    );
    if (count > 0) return true;
  }
  return false;
}

/** The names of the files stay, and the folder is another one (protocol section 10.15). */
async function movePictures(
  db: Db,
  { from, withContent, photoPath }: MoveInProgress,
  limit: number,
): Promise<boolean> {
  if (!withContent || photoPath === null) return false;
  const photos = await listPhotosOutside(db.read, from.id, photoPath, limit);
  await db.transaction(async (tx) => {
    for (const { id, url, thumbnail } of photos)
      await updatePhotoUrls(tx, {
        id,
        url: photoPath + nameIn(url),
        thumbnail: thumbnail && photoPath + nameIn(thumbnail),
      });
  });
  return photos.length > 0;
}

function nameIn(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}
