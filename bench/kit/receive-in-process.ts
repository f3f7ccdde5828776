import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { composeFeatures } from "../../packages/server/src/compose/features.ts";
import { openDatabase } from "../../packages/server/src/db/open-database.ts";
import { createHostHealth } from "../../packages/server/src/federation/delivery/host-health.ts";
import { createReceivePublic } from "../../packages/server/src/federation/diaspora/receive/receive-public.ts";
import { createInbound } from "../../packages/server/src/federation/inbound/create-inbound.ts";
import { createStrangers } from "../../packages/server/src/federation/inbound/strangers.ts";
import { createSignatureFailureLimiter } from "../../packages/server/src/federation/inbound/signature-failure-limiter.ts";
import { systemClock as clock } from "../../packages/server/src/lib/time/clock.ts";
import { createFileMediaStore } from "../../packages/server/src/lib/media/file-media-store.ts";
import { createGuardedFetch } from "../../packages/server/src/lib/http-client/guarded-fetch.ts";
import { createRecordingProcessor } from "../../packages/server/src/lib/recordings/recording-processor.ts";
import { createImageProcessor } from "../../packages/server/src/lib/images/image-processor.ts";
import { NO_LIMITS as limits } from "../../packages/server/src/lib/limits/limits.ts";
import { silentLog } from "../../packages/server/src/observability/log.ts";

// A separate process, on one processor: handles the messages of a file (lines of
// base64) with the code behind POST /receive/public, without HTTP, and prints the
// time for all but the first ones.
//   receive-in-process.ts DATABASE MESSAGES WARM_UP AT_ONCE HANDLE_HOST

const [file = "", messages = "", warmUp = "", atOnce = "", handleHost = ""] =
  process.argv.slice(2);
const bodies = readFileSync(messages, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => Buffer.from(line, "base64"));
const db = await openDatabase({ kind: "sqlite", file });
const log = silentLog();
const fetch = createGuardedFetch({
  allowPrivateNetwork: false,
  userAgent: "Kith bench",
});
const images = createImageProcessor();
const recordings = createRecordingProcessor({
  limits: { maxBytes: 1024 * 1024, maxDurationMs: 60_000 },
});
const features = composeFeatures({
  ...{ db, clock, images, recordings, handleHost },
  secretKey: new Uint8Array(32),
  onlyAllowedHosts: false,
  speaksActivityPub: true,
  hasLinkPreviews: true,
  whoInvites: "admins",
  registration: "closed",
  baseUrl: `http://${handleHost}`,
  media: createFileMediaStore(path.join(tmpdir(), "kith-bench-media")),
});
const { jobs } = features;
const hosts = createHostHealth({ db, jobs, clock, fetch });
const receive = createReceivePublic({
  ...{ ...features, db, clock, handleHost },
  inbound: createInbound({ db, jobs, hosts, clock, log }),
  unproven: createSignatureFailureLimiter({ limits, clock }),
  strangers: createStrangers({ ...features, limits, factor: 1 }),
  isAuthorOf: async () => false,
});
await receiveAll(bodies.slice(0, Number(warmUp)));
const rest = bodies.slice(Number(warmUp));
const before = process.cpuUsage();
const startedAt = performance.now();
await receiveAll(rest);
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({ seconds, processorSeconds: (user + system) / 1_000_000 }),
);
images.close();
await fetch.close();
await db.close();

async function receiveAll(all: readonly Buffer[]): Promise<void> {
  let next = 0;
  const takeTurns = async (): Promise<void> => {
    for (let body = all[next++]; body; body = all[next++])
      await receive(body, "127.0.0.1");
  };
  await Promise.all(Array.from({ length: Number(atOnce) }, takeTurns));
}
