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
    /** Deletes the rest of a person who has moved with all content. */
    readonly clearUp: (tx: Tx, personId: PersonId) => Promise<void>;
  };

/**
 * The steps of a move, for either protocol: copies blocks and ignores, then migrates
 * contacts, and at last, for a move with all content, reassigns everything that the old
 * person created or received. Blocks come first, so that at no moment anyone can see more
 * than before.
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

/** The file names stay, in another folder (protocol section 10.15). */
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
