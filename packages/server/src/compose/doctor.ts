import { locateDatabase, type CommandInput } from "./command-input.ts";
import { planOf } from "./backups.ts";
import { mediaPlaces } from "./storage.ts";
import { mailServerOf } from "./mails.ts";
import { compose } from "./server.ts";
import { examineServer } from "../doctor/examine-server.ts";
import type { Finding } from "../lib/finding.ts";
import { createGuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import { systemClock } from "../lib/time/clock.ts";
import { silentLog } from "../observability/log.ts";

/** Runs the doctor with the parts of this server. */
export async function runDoctor(input: CommandInput): Promise<Finding[]> {
  const { config, secrets, secretKeyPlace, version } = input;
  const fetch = createGuardedFetch({
    allowPrivateNetwork: true,
    hosts: config.hosts,
    userAgent: `Kith/${version} (+${config.baseUrl})`,
  });
  const shared = { config, clock: systemClock, fetch };
  try {
    return await examineServer({
      ...shared,
      location: locateDatabase(config, secrets),
      secretKeyPlace,
      backupPlan: planOf(input),
      objects: mediaPlaces(input).objects,
      mailServer: mailServerOf(config, secrets.smtp, async () => ""),
      compose: (db, secretKey) => {
        const log = silentLog();
        const server = compose({ ...shared, db, secretKey, version, log });
        return { ...server.features, close: () => server.images.close() };
      },
    });
  } finally {
    await fetch.close();
  }
}
