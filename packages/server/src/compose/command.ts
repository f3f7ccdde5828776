import { composeFeatures, type Features } from "./features.ts";
import { upgrade } from "./backups.ts";
import { locateDatabase, type CommandInput } from "./command-input.ts";
import { refuseHalfRestored } from "../backups/half-restored.ts";
import type { Compaction } from "../cli/commands/storage/compact-command.ts";
import {
  compactPostgres,
  examineTables,
} from "../db/maintenance/compact-postgres.ts";
import {
  compactSqlite,
  examineFile,
  rewriteSqlite,
} from "../db/maintenance/compact-sqlite.ts";
import type { Db } from "../db/db.ts";
import { openExisting } from "../db/open-existing.ts";
import { planUpgrade, type UpgradePlan } from "../db/upgrade-plan.ts";
import { openSecretKey } from "../features/accounts/index.ts";
import { createImageProcessor } from "../lib/images/image-processor.ts";
import { createRecordingProcessor } from "../lib/recordings/recording-processor.ts";
import { openMedia } from "./storage.ts";
import { systemClock } from "../lib/time/clock.ts";

/** Brings the schema up to date. @returns the names of the migrations it ran */
export async function migrateDatabase(input: CommandInput): Promise<string[]> {
  const location = locateDatabase(input.config, input.secrets);
  await refuseHalfRestored(input.config.dataDir, location);
  const db = await openExisting(location, { mayBeEmpty: true });
  return upgrade(input, db).finally(() => db.close());
}

/** Finds the migrations that would run, and changes nothing. */
export async function checkUpgrade(input: CommandInput): Promise<UpgradePlan> {
  const db = await openExisting(locateDatabase(input.config, input.secrets));
  return planUpgrade(db).finally(() => db.close());
}

/** The database of this server, to be made smaller. */
export function composeCompaction(input: CommandInput): Compaction {
  const location = locateDatabase(input.config, input.secrets);
  const withDatabase = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
    const db = await openExisting(location);
    return upgrade(input, db)
      .then(() => work(db))
      .finally(() => db.close());
  };
  if (location.kind === "postgres")
    return {
      kind: "postgres",
      examine: () => withDatabase(() => examineTables(location.url)),
      compact: (onProgress) => compactPostgres(location.url, onProgress),
    };
  return {
    kind: "sqlite",
    examine: () => withDatabase(examineFile),
    compact: (onProgress) =>
      withDatabase((db) => compactSqlite(db, onProgress)),
    rewrite: async (onBegin) => {
      await withDatabase(async () => {});
      return rewriteSqlite(location.file, onBegin);
    },
  };
}

/** Runs `use` with the features, also beside a running server: without the web and without federation. */
export async function withFeatures(
  input: CommandInput,
  use: (features: Features) => Promise<void>,
): Promise<void> {
  const { config, secrets, secretKeyPlace } = input;
  const db = await openExisting(locateDatabase(config, secrets));
  const images = createImageProcessor();
  const recordings = createRecordingProcessor({ limits: config.recordings });
  try {
    await upgrade(input, db);
    const secretKey = await openSecretKey(db, secretKeyPlace);
    await use(
      composeFeatures({
        ...{ db, clock: systemClock, secretKey, images, recordings },
        handleHost: config.baseHost,
        onlyAllowedHosts: config.onlyAllowedHosts,
        speaksActivityPub: config.protocols.activitypub,
        hasLinkPreviews: config.linkPreviews,
        whoInvites: config.whoInvites,
        registration: config.registration,
        hasMail: config.mail !== null,
        baseUrl: config.baseUrl,
        media: openMedia(config.dataDir, secrets.media),
      }),
    );
  } finally {
    images.close();
    recordings.close();
    await db.close();
  }
}
