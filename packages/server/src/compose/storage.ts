import path from "node:path";
import type { Features } from "./features.ts";
import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import { trimFolder } from "../features/remote-media/index.ts";
import { createStorage } from "../features/storage/index.ts";
import { deleteRemoteActors } from "../federation/activitypub/actors/remote-actor-store.ts";
import { deleteSignaturesBelow } from "../federation/diaspora/records/relayable-store.ts";
import { deleteRemotePeople } from "../federation/remote-people/remote-person-store.ts";
import type { Clock } from "../lib/time/clock.ts";

/** The storage rules, with what federation keeps beside posts and people. */
export function composeStorage(input: {
  readonly config: Pick<Config, "dataDir" | "remoteMediaBytes" | "storage">;
  readonly db: Db;
  readonly clock: Clock;
  readonly features: Pick<Features, "indexing" | "people" | "posts">;
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
