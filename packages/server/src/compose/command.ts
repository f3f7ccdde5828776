import { composeFeatures, type Features } from "./features.ts";
import { upgrade } from "./backups.ts";
import { locateDatabase, type CommandInput } from "./command-input.ts";
import { refuseHalfRestored } from "../backups/half-restored.ts";
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
