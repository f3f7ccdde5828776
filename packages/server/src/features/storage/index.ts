import path from "node:path";
import {
  maintainDatabase,
  measureSize,
} from "../../db/maintenance/maintain-database.ts";
import { clean, preview, type CleanDeps, type WalkOptions } from "./clean.ts";
import { measureFolder } from "../../lib/media/measure-folder.ts";
import type { FolderSize, MediaStore } from "../../lib/media/media-store.ts";
import {
  listRules,
  type StorageRule,
  type StorageRules,
} from "./storage-rules.ts";

export { CLEAN_STORAGE, createCleanStorage } from "./storage-job.ts";
export type { FreedByRule } from "./clean.ts";
export type { Freed, RuleName } from "./storage-rules.ts";

export type StorageDeps = CleanDeps & {
  readonly rules: StorageRules;
  /** The uploads. */
  readonly media: Pick<MediaStore, "measure">;
  /** With the folder of remote media. */
  readonly dataDir: string;
  /** Of the folder of remote media. */
  readonly maxRemoteMediaBytes: number;
  /** Removes remote media over the limit. @returns the bytes that were freed */
  readonly trimRemoteMedia: () => Promise<number>;
};

/** Bytes by kind. */
export type StorageSizes = {
  readonly database: { readonly bytes: number; readonly freeBytes: number };
  readonly uploads: FolderSize;
  readonly remoteMedia: FolderSize & { readonly maxBytes: number };
};

/** The disk: how much is on it, and the rules by which it is freed. */
export type Storage = ReturnType<typeof createStorage>;

export function createStorage(deps: StorageDeps) {
  const { db, dataDir, rules } = deps;
  return {
    /** @param days instead of those of the settings, for a preview */
    listRules: (days?: number): readonly StorageRule[] =>
      listRules(withDays(rules, days)),
    measure: async (): Promise<StorageSizes> => ({
      database: await measureSize(db),
      uploads: await deps.media.measure(),
      remoteMedia: {
        ...(await measureFolder(path.join(dataDir, "remote-media"))),
        maxBytes: deps.maxRemoteMediaBytes,
      },
    }),
    /** Measures what the rules would free now, and changes nothing. */
    preview: (days?: number, options?: WalkOptions) =>
      preview(deps, withDays(rules, days), options),
    /** Applies the rules, and the limit of remote media. */
    clean: async (options?: WalkOptions) => ({
      freed: await clean(deps, rules, options),
      mediaBytes: await deps.trimRemoteMedia(),
    }),
    /** Returns free space to the file system, where the database can. */
    maintain: (signal?: AbortSignal) => maintainDatabase(db, signal),
  };
}

const withDays = (rules: StorageRules, days: number | undefined) =>
  days === undefined
    ? rules
    : {
        notificationDays: days,
        remotePostDays: days,
        followedPostDays: days,
      };
