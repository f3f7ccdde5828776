import path from "node:path";
import type { CommandInput } from "./command-input.ts";
import type { Features } from "./features.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import { trimFolder } from "../features/remote-media/index.ts";
import { createStorage } from "../features/storage/index.ts";
import { deleteRemoteActors } from "../federation/activitypub/actors/remote-actor-store.ts";
import { deleteSignaturesBelow } from "../federation/diaspora/records/relayable-store.ts";
import { deleteRemotePeople } from "../federation/remote-people/remote-person-store.ts";
import { createFileMediaStore } from "../lib/media/file-media-store.ts";
import type { MediaStore } from "../lib/media/media-store.ts";
import { createS3MediaStore } from "../lib/media/s3-media-store.ts";
import type { S3Place } from "../lib/object-store/s3-place.ts";
import { createTwoMediaStores } from "../lib/media/two-media-stores.ts";
import type { Clock } from "../lib/time/clock.ts";

/** The storage rules, with what federation keeps beside posts and people. */
export function composeStorage(input: {
  readonly config: Pick<Config, "dataDir" | "remoteMediaBytes" | "storage">;
  readonly db: Db;
  readonly clock: Clock;
  readonly media: MediaStore;
  readonly features: Pick<
    Features,
    "indexing" | "notifications" | "people" | "posts"
  >;
}) {
  const { config, features } = input;
  return createStorage({
    ...input,
    ...features,
    rules: config.storage,
    dataDir: config.dataDir,
    maxRemoteMediaBytes: config.remoteMediaBytes,
    trimRemoteMedia: () =>
      trimFolder(
        path.join(config.dataDir, "remote-media"),
        config.remoteMediaBytes,
      ),
    forgetPosts: deleteSignaturesBelow,
    forgetPeople: async (tx, people) => {
      const ids = people.map(({ id }) => id);
      await deleteRemoteActors(
        tx,
        people.flatMap(({ uri }) => uri ?? []),
      );
      await deleteRemotePeople(tx, ids);
      await features.people.elsewhere.forget(tx, ids);
    },
  });
}

/** Opens the store of uploads. What is still in the folder is found there, too. */
export function openMedia(
  dataDir: string,
  place: S3Place | undefined,
  options: { readonly isSigned?: boolean } = {},
): MediaStore {
  const folder = folderOf(dataDir);
  return place
    ? createTwoMediaStores(createS3MediaStore(place, options), folder)
    : folder;
}

function folderOf(dataDir: string): MediaStore {
  return createFileMediaStore(path.join(dataDir, "media"));
}

/** The two places between which uploads can be moved; null without an object store. */
export function mediaPlaces({ config, secrets }: CommandInput): {
  readonly folder: MediaStore;
  readonly objects: MediaStore | null;
} {
  const { media } = secrets;
  const folder = folderOf(config.dataDir);
  return { folder, objects: media ? createS3MediaStore(media) : null };
}
