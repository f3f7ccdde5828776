import path from "node:path";
import { composeFeatures, type Features } from "./compose-features.ts";
import { openSecretKey } from "./compose-secret.ts";
import type { Config, Secrets } from "./config/config.ts";
import type { SecretKeyPlace } from "./config/secret-key.ts";
import { migrate } from "./db/migrate.ts";
import { openDatabase, type DatabaseLocation } from "./db/open-database.ts";
import { systemClock } from "./lib/clock.ts";
import { createFileMediaStore } from "./lib/file-media-store.ts";
import { createImageProcessor } from "./lib/image-processor.ts";

/** What one process or command needs to know. */
export type CommandInput = {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly secretKeyPlace: SecretKeyPlace;
  /** Of Kith. */
  readonly version: string;
};

/** Where the data is. */
export function databaseLocation(
  config: Config,
  secrets: Secrets,
): DatabaseLocation {
  return config.database.kind === "sqlite"
    ? config.database
    : { kind: "postgres", url: secrets.databaseUrl ?? "" };
}

/** Brings the schema up to date. @returns the names of the steps that were missing */
export async function migrateDatabase(
  config: Config,
  secrets: Secrets,
): Promise<string[]> {
  const db = await openDatabase(databaseLocation(config, secrets));
  try {
    return await migrate(db, systemClock);
  } finally {
    await db.close();
  }
}

/** Lets a command use the features, also beside a running server: without the web and without federation. */
export async function withFeatures(
  { config, secrets, secretKeyPlace }: CommandInput,
  use: (features: Features) => Promise<void>,
): Promise<void> {
  const db = await openDatabase(databaseLocation(config, secrets));
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
