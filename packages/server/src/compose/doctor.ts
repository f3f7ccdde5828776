import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { databaseLocation, type CommandInput } from "./command.ts";
import { compose, type Server } from "./server.ts";
import { examineSecretKey } from "../features/accounts/keys/open-secret-key.ts";
import type { Db } from "../db/db.ts";
import { examineDatabase } from "../db/examine-database.ts";
import { openDatabase } from "../db/open-database.ts";
import { sendLoopBack } from "../federation/activitypub/authority/loop-back.ts";
import { createUris } from "../federation/activitypub/records/uris.ts";
import {
  compareKeys,
  examineName,
  examineReach,
  examineScheme,
} from "../doctor/examine-base-url.ts";
import { examineDiscovery } from "../doctor/examine-discovery.ts";
import { examineLeftovers } from "../doctor/examine-leftovers.ts";
import { examineLoopBack } from "../doctor/examine-loop-back.ts";
import { DEAD_FOR_DAYS } from "../jobs/forget-dead.ts";
import { countJobs, summarizeDead } from "../jobs/stores/queue-queries.ts";
import { systemClock } from "../lib/time/clock.ts";
import { messageOf, OperatorError } from "../lib/errors.ts";
import { failed, ok, skipped, warning, type Finding } from "../lib/finding.ts";
import {
  createGuardedFetch,
  type GuardedFetch,
} from "../lib/http-client/guarded-fetch.ts";
import { silentLog } from "../observability/log.ts";
import { examineFiles } from "../lib/media/private-files.ts";

/** Looks at everything that a server needs, also beside a running one. Changes nothing. */
export async function examineServer(input: CommandInput): Promise<Finding[]> {
  const { config, version } = input;
  const fetch = createGuardedFetch({
    allowPrivateNetwork: true,
    hosts: config.hosts,
    userAgent: `Kith/${version} (+${config.baseUrl})`,
  });
  const outside = { baseUrl: config.baseUrl, clock: systemClock, fetch };
  try {
    const findings = [
      await examineDisk(config.dataDir),
      examineFiles(config.dataDir),
      examineScheme(outside),
      await examineName(outside),
      ...(await examineReach(outside)),
    ];
    const isReached = findings.every(
      ({ check, state }) => check !== "base URL's answer" || state === "ok",
    );
    const opened = await open(input);
    if ("finding" in opened) return [...findings, opened.finding];
    try {
      findings.push(
        ...(await examineInside(input, opened.db, fetch, isReached)),
      );
    } finally {
      await opened.db.close();
    }
    return findings;
  } finally {
    await fetch.close();
  }
}

async function open(
  input: CommandInput,
): Promise<{ readonly db: Db } | { readonly finding: Finding }> {
  const check = "database";
  const location = databaseLocation(input.config, input.secrets);
  if (location.kind === "sqlite" && !existsSync(location.file))
    return {
      finding: failed(
        check,
        `There is no database at ${location.file} yet.`,
        "Start kith serve once, or correct KITH_DATA_DIR.",
      ),
    };
  try {
    return { db: await openDatabase(location) };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const advice =
      "Start the database, or correct KITH_DATABASE_URL or KITH_DATA_DIR.";
    return { finding: failed(check, error.message, advice) };
  }
}

async function examineInside(
  input: CommandInput,
  db: Db,
  fetch: GuardedFetch,
  isReached: boolean,
): Promise<Finding[]> {
  const findings = await examineDatabase(db);
  if (
    findings.some(
      ({ check, state }) => check === "database schema" && state === "failed",
    )
  )
    return findings;
  findings.push(await examineQueue(db));
  const secret = await examineSecretKey(db, input.secretKeyPlace);
  findings.push(secret);
  const secretKey = input.secretKeyPlace.find();
  if (!secretKey || secret.state === "failed")
    return [...findings, skipped("federation", "Nothing can be signed.")];
  const log = silentLog();
  const parts = { ...input, secretKey, db, log, clock: systemClock, fetch };
  const server = compose(parts);
  try {
    findings.push(await examineLeftovers(server.features));
    findings.push(
      ...(isReached
        ? await examineFederation(input, server, fetch)
        : [skipped("federation", "Nothing can be asked from outside.")]),
    );
  } finally {
    server.images.close();
  }
  return findings;
}

async function examineFederation(
  { config }: CommandInput,
  { features }: Server,
  fetch: GuardedFetch,
): Promise<Finding[]> {
  const { baseUrl, baseHost: handleHost, protocols } = config;
  const { accounts, administration } = features;
  const uris = createUris(baseUrl);
  const outside = { baseUrl, handleHost, clock: systemClock, fetch };
  const active = { state: "active" } as const;
  const [anybody] = await administration.list(active, { offset: 0, limit: 1 });
  const username = anybody?.username;
  const actorOf = protocols.activitypub ? uris.actor : undefined;
  const found = await examineDiscovery({ ...outside, actorOf }, username);
  if (!protocols.activitypub)
    return [
      ...found,
      skipped(
        "delivery",
        "ActivityPub is switched off: nothing signs requests.",
      ),
    ];
  const { publicPem } = await accounts.getServerKey();
  const served = await readServedKey(fetch, uris.instance);
  const loopBack = { accounts, clock: systemClock, fetch, uris };
  return [
    compareKeys(publicPem, served),
    ...found,
    ...(await examineLoopBack((form) => sendLoopBack(loopBack, form))),
  ];
}

async function readServedKey(
  fetch: GuardedFetch,
  url: string,
): Promise<string | undefined> {
  try {
    const { body } = await fetch.request({
      method: "GET",
      url,
      headers: { accept: "application/activity+json" },
      maxBytes: 1024 * 1024,
    });
    const { publicKey } = JSON.parse(Buffer.from(body).toString()) as {
      publicKey?: { publicKeyPem?: unknown };
    };
    const pem = publicKey?.publicKeyPem;
    return typeof pem === "string" ? pem : undefined;
  } catch {
    return undefined;
  }
}

/** Jobs that are due run within moments; a large backlog takes minutes. */
const LATE_MS = 10 * 60_000;

async function examineQueue(db: Db): Promise<Finding> {
  const check = "queue";
  const counts = await countJobs(db.read);
  const nowMs = systemClock.now().getTime();
  const sum = (of: typeof counts): number =>
    of.reduce((total, { count }) => total + count, 0);
  const ready = counts.filter(({ state }) => state === "ready");
  const lateMs = Math.max(
    0,
    ...ready.map(({ nextAt }) => nowMs - Date.parse(nextAt)),
  );
  if (lateMs > LATE_MS)
    return failed(
      check,
      `${sum(ready)} jobs wait, and the first has been due for ${Math.round(lateMs / 60_000)} minutes.`,
      "Is a worker running (kith serve, or kith worker beside kith serve --no-worker)? If so, give it more at once (KITH_CONCURRENCY) or add another. kith queue list shows what waits.",
    );
  const { dead, oldestAt, documents } = await summarizeDead(db.read);
  if (dead > 0)
    return warning(
      check,
      `${dead} jobs have been given up, the oldest on ${oldestAt?.slice(0, 10) ?? "an unknown day"}. Each goes ${DEAD_FOR_DAYS} days after that, with its text: ${documents} are kept for jobs.`,
      "kith queue list shows them with what went wrong; kith queue retry tries them again, kith queue drop removes them.",
    );
  return ok(check, `${sum(ready)} jobs wait, none of them is late.`);
}

const GIBIBYTE = 1024 ** 3;
const FULL_BELOW = 0.2 * GIBIBYTE;
const NARROW_BELOW = GIBIBYTE;

async function examineDisk(dataDir: string): Promise<Finding> {
  const check = "disk";
  const advice =
    "Make room, or move the data to a larger disk (KITH_DATA_DIR). A full disk stops everything.";
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const says = `${(free / GIBIBYTE).toFixed(1)} GiB are free for ${dataDir}.`;
    if (free < FULL_BELOW) return failed(check, says, advice);
    return free < NARROW_BELOW ? warning(check, says, advice) : ok(check, says);
  } catch (error) {
    return failed(check, `${dataDir}: ${messageOf(error)}.`, advice);
  }
}
