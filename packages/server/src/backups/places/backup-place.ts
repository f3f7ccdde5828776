import type { WriteBackup } from "../backup-entry.ts";
import type { Manifest } from "../manifest.ts";

/** A whole backup in a place of backups. */
export type StoredBackup = {
  /** As `kith restore` takes it, without secrets. */
  readonly path: string;
  readonly manifest: Manifest;
};

/** Where backups are kept beside each other: a folder, or a bucket of an object store. */
export type BackupPlace = {
  /** As an operator knows it, without secrets. */
  readonly name: string;
  /**
   * Writes a backup while no other process writes here, and removes what an interrupted one has
   * left behind. What an earlier backup here holds is not written again.
   */
  readonly write: WriteBackup;
  /**
   * The newest backup with an undamaged description.
   * @param before only those that were made until then
   * @throws {OperatorError} if the place cannot be read
   */
  readonly findNewest: (before?: Date) => Promise<StoredBackup | undefined>;
  /**
   * Removes all but the `keep` newest whole backups, and what they alone held. Broken ones stay
   * for the operator, and count as none, so that the last good one is never removed.
   * @param made the one that was just made: those with a later name stay and do not count
   * @returns the paths of the removed ones
   */
  readonly prune: (keep: number, made?: string) => Promise<string[]>;
};
