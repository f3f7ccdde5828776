import path from "node:path";
import { composeFeatures, type Features } from "./features.ts";
import type { Config, Secrets } from "../config/config.ts";
import { migrate } from "../db/migrate.ts";
import type { DatabaseLocation } from "../db/open-database.ts";
import { migrateExisting, openExisting } from "../db/open-existing.ts";
import { openSecretKey } from "../features/accounts/index.ts";
import { createImageProcessor } from "../lib/images/image-processor.ts";
import { createFileMediaStore } from "../lib/media/file-media-store.ts";
import type { SecretKeyPlace } from "../lib/secret-key-place.ts";
import { systemClock } from "../lib/time/clock.ts";

/** The settings of one process or command. */
export type CommandInput = {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly secretKeyPlace: SecretKeyPlace;
  /** Of Kith. */
  readonly version: string;
};

/** Where the database is. */
export function locateDatabase(
  config: Config,
  secrets: Secrets,
): DatabaseLocation {
  return config.database.kind === "sqlite"
    ? config.database
    : { kind: "postgres", url: secrets.databaseUrl ?? "" };
}

/** Brings the schema up to date. @returns the names of the migrations it ran */
export function migrateDatabase(
  config: Config,
  secrets: Secrets,
): Promise<string[]> {
  return migrateExisting(locateDatabase(config, secrets), systemClock);
}

/** Runs `use` with the features, also beside a running server: without the web and without federation. */
export async function withFeatures(
  { config, secrets, secretKeyPlace }: CommandInput,
  use: (features: Features) => Promise<void>,
): Promise<void> {
  const db = await openExisting(locateDatabase(config, secrets));
  const images = createImageProcessor();
  try {
    await migrate(db, systemClock);
    const secretKey = await openSecretKey(db, secretKeyPlace);
    await use(
      composeFeatures({
        ...{ db, clock: systemClock, secretKey, images },
        handleHost: config.baseHost,
        onlyAllowedHosts: config.onlyAllowedHosts,
        speaksActivityPub: config.protocols.activitypub,
        whoInvites: config.whoInvites,
        baseUrl: config.baseUrl,
        media: createFileMediaStore(path.join(config.dataDir, "media")),
      }),
    );
  } finally {
    images.close();
    await db.close();
  }
}
