import { backupDepsOf } from "../../packages/server/src/compose/backups.ts";
import {
  locateDatabase,
  type CommandInput,
} from "../../packages/server/src/compose/command-input.ts";
import { compose } from "../../packages/server/src/compose/server.ts";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { locateSecretKey } from "../../packages/server/src/config/secret-key.ts";
import { createFolderPlace } from "../../packages/server/src/backups/places/folder-place.ts";
import { upgradeDatabase } from "../../packages/server/src/backups/upgrade-database.ts";
import { lockInstance } from "../../packages/server/src/db/locks/instance-lock.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { openSecretKey } from "../../packages/server/src/features/accounts/index.ts";
import { createLog } from "../../packages/server/src/observability/log.ts";
import { resolveHost } from "../../packages/server/test/support/server/resolve-host.ts";
import { testCredentials } from "../../packages/server/test/support/server/credentials.ts";
import { TestClock } from "../../packages/server/test/support/server/test-clock.ts";

// The server of a year in a process of its own, which its parent may kill. It differs from
// `kith serve` in its clock, which the parent moves, and in passwords and keys that are quick
// to make; jobs run when the parent says so.

/** From the parent; each is answered with the same number. */
export type Order = { readonly id: number } & (
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "settle" }
  | { readonly kind: "weigh" }
  | { readonly kind: "stop" }
);

export type Weight = { readonly heapBytes: number; readonly rssBytes: number };

export type Reply =
  { readonly id: number; readonly weight?: Weight } | { readonly up: true };

const { config, secrets } = readConfig(process.env, {});
const clock = new TestClock();
clock.advance(Number(process.env["KITH_YEAR_OFFSET_MS"]));
const log = createLog(config.logLevel, (line) => line);
const input: CommandInput = {
  ...{ config, secrets, version: "0" },
  secretKeyPlace: locateSecretKey(config.dataDir, secrets.secretKey),
};
const location = locateDatabase(config, secrets);
const lock = await lockInstance(location);
const db = await openDatabase(location);
const folder = config.backups?.folder ?? "";
const plan = config.backups && {
  ...config.backups,
  place: createFolderPlace(folder, clock),
};
const backup = { ...backupDepsOf(input), clock, plan };
await upgradeDatabase(db, {
  ...{ clock, backup, dataDir: config.dataDir, plan },
  isProtected: config.backupBeforeUpgrade,
});
const secretKey = await openSecretKey(db, input.secretKeyPlace);
const server = compose({
  ...{ config, db, clock, log, secretKey, backup, resolveHost },
  ...{ credentials: testCredentials, version: "0" },
});
await server.prepare();
const worker = server.createWorker(lock);
const app = await server.createApp();
await app.listen({ host: "localhost", port: config.port });

process.on("message", (order: Order) => void obey(order));
reply({ up: true });

async function obey(order: Order): Promise<void> {
  const { id } = order;
  switch (order.kind) {
    case "advance":
      clock.advance(order.ms);
      return reply({ id });
    case "settle":
      await worker.settle();
      return reply({ id });
    case "weigh":
      return reply({ id, weight: weigh() });
    case "stop":
      await app.close();
      await worker.stop();
      await server.close();
      await db.close();
      await lock.release();
      reply({ id });
      process.disconnect?.();
  }
}

function reply(message: Reply): void {
  process.send?.(message);
}

/** Collects garbage first. */
function weigh(): Weight {
  const { gc } = globalThis;
  if (!gc) throw new Error("Started with --expose-gc");
  void gc();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapBytes: heapUsed, rssBytes: rss };
}
