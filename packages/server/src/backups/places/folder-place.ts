import type { Clock } from "../../lib/time/clock.ts";
import { findNewest, pruneBackups, withFolder } from "./backup-folder.ts";
import type { BackupPlace } from "./backup-place.ts";
import { writeFolderIn } from "./write-folder.ts";

/** A folder of backups. */
export function createFolderPlace(folder: string, clock: Clock): BackupPlace {
  return {
    name: folder,
    write: (list, note) =>
      withFolder(folder, () => writeFolderIn(folder, clock)(list, note)),
    findNewest: async (before) => findNewest(folder, before),
    prune: (keep, made) =>
      withFolder(folder, () => pruneBackups(folder, keep, made)),
  };
}
