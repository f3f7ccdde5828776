import { existsSync } from "node:fs";
import path from "node:path";
import { composeFeatures, type Features } from "./features.ts";
import { openSecretKey } from "../features/accounts/keys/open-secret-key.ts";
import type { Config, Secrets } from "../config/config.ts";
import type { SecretKeyPlace } from "../config/secret-key.ts";
import type { Db } from "../db/db.ts";
import { hasSchema, migrate } from "../db/migrate.ts";
import { openDatabase, type DatabaseLocation } from "../db/open-database.ts";
import { systemClock } from "../lib/time/clock.ts";
import { OperatorError } from "../lib/errors.ts";
import { createFileMediaStore } from "../lib/media/file-media-store.ts";
import { createImageProcessor } from "../lib/images/image-processor.ts";

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

/**
 * Opens what `kith serve` has made. A wrong setting must not make a second, empty one.
 * @throws {OperatorError} where there is none
 */
export async function openExisting(location: DatabaseLocation): Promise<Db> {
  refuseMissing(location);
  const db = await openDatabase(location);
  try {
    if (location.kind === "postgres" && !(await hasSchema(db)))
      throw new OperatorError(
        `The PostgreSQL database has no tables of Kith's. Start kith serve once, or correct KITH_DATABASE_URL.`,
      );
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

function refuseMissing(location: DatabaseLocation): void {
  if (location.kind === "sqlite" && !existsSync(location.file))
    throw new OperatorError(
      `There is no database at ${location.file}. Start kith serve once, or correct KITH_DATA_DIR.`,
    );
}

/** Brings the schema up to date. @returns the names of the steps that were missing */
export async function migrateDatabase(
  config: Config,
  secrets: Secrets,
): Promise<string[]> {
  const location = databaseLocation(config, secrets);
  refuseMissing(location);
  const db = await openDatabase(location);
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
  const db = await openExisting(databaseLocation(config, secrets));
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
