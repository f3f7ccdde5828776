import { existsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { Db } from "../db/db.ts";
import { examineDatabase } from "../db/examine-database.ts";
import { examineReplica } from "../db/postgres/examine-replica.ts";
import { openDatabase, type DatabaseLocation } from "../db/open-database.ts";
import {
  examineSecretKey,
  type Accounts,
  type Administration,
} from "../features/accounts/index.ts";
import type { Retractions } from "../features/retractions/index.ts";
import { OperatorError } from "../lib/errors.ts";
import { failed, skipped, type Finding } from "../lib/finding.ts";
import type { GuardedFetch } from "../lib/http-client/guarded-fetch.ts";
import type { MailServer } from "../lib/mail/mail-server.ts";
import type { MediaStore } from "../lib/media/media-store.ts";
import { examineFiles } from "../lib/media/private-files.ts";
import type { SecretKeyPlace } from "../lib/secret-key-place.ts";
import type { Clock } from "../lib/time/clock.ts";
import {
  examineName,
  examineReach,
  examineScheme,
} from "./examine-base-url.ts";
import type { BackupPlan } from "../backups/back-up-job.ts";
import { examineBackups } from "./examine-backups.ts";
import { examineDisk } from "./examine-disk.ts";
import { examineFederation } from "./examine-federation.ts";
import { examineLeftovers } from "./examine-leftovers.ts";
import { MAX_IMAGE_BYTES } from "../lib/images/image.ts";
import { examineBodyLimit, examineCertificate } from "./examine-proxy.ts";
import { examineMedia, examineMediaHost } from "./examine-media.ts";
import { examineMail } from "./examine-mail.ts";
import { examineQueue } from "./examine-queue.ts";

export type ExamineDeps = {
  readonly config: Config;
  readonly location: DatabaseLocation;
  readonly secretKeyPlace: SecretKeyPlace;
  readonly clock: Clock;
  readonly fetch: GuardedFetch;
  readonly backupPlan: BackupPlan | null;
  /** Undefined if no mails are sent. */
  readonly mailServer: Pick<MailServer, "check"> | undefined;
  /** null if uploads are in the data directory. */
  readonly objects: Pick<MediaStore, "open"> | null;
  /** Builds the parts of a server on an open database. */
  readonly compose: (db: Db, secretKey: Uint8Array) => ExaminedServer;
};

export type ExaminedServer = {
  readonly accounts: Pick<Accounts, "getServerKey">;
  readonly administration: Pick<Administration, "list">;
  readonly retractions: Pick<Retractions, "countOverdue">;
  readonly close: () => void;
};

/** Examines everything a server needs, also beside a running one. Changes nothing. */
export async function examineServer(deps: ExamineDeps): Promise<Finding[]> {
  const { config, clock, fetch } = deps;
  const outside = { baseUrl: config.baseUrl, clock, fetch };
  const findings = [
    await examineDisk(config.dataDir),
    examineFiles(config.dataDir),
    examineScheme(outside),
    await examineName(outside),
    ...(await examineReach(outside)),
    await examineCertificate({ ...outside, hosts: config.hosts }),
    await examineBackups(deps.backupPlan, config, clock),
    await examineMail(deps.mailServer),
    await examineMedia(deps.objects),
    await examineMediaHost(config.media.host, fetch),
  ];
  const isReached = findings.every(
    ({ check, state }) => check !== "base URL's answer" || state === "ok",
  );
  const opened = await open(deps.location);
  if ("finding" in opened) return [...findings, opened.finding];
  try {
    findings.push(...(await examineInside(deps, opened.db, isReached)));
    // The last: some proxies need a moment after it.
    if (isReached)
      findings.push(
        await examineBodyLimit({
          ...{ ...outside, apiVersion: config.apiVersion },
          maxFileBytes: Math.max(MAX_IMAGE_BYTES, config.recordings.maxBytes),
        }),
      );
    return findings;
  } finally {
    await opened.db.close();
  }
}

async function open(
  location: DatabaseLocation,
): Promise<{ readonly db: Db } | { readonly finding: Finding }> {
  const check = "database";
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
  deps: ExamineDeps,
  db: Db,
  isReached: boolean,
): Promise<Finding[]> {
  const { location } = deps;
  const replicaUrl =
    location.kind === "postgres" ? location.replicaUrl : undefined;
  const findings = await examineDatabase(db);
  if (location.kind === "postgres" && replicaUrl !== undefined)
    findings.push(await examineReplica({ url: location.url, replicaUrl }));
  const isSchemaBad = findings.some(
    ({ check, state }) => check === "database schema" && state === "failed",
  );
  if (isSchemaBad) return findings;
  findings.push(await examineQueue(db.read, deps.clock));
  const secret = await examineSecretKey(db, deps.secretKeyPlace);
  findings.push(secret);
  const secretKey = deps.secretKeyPlace.find();
  if (!secretKey || secret.state === "failed")
    return [...findings, skipped("federation", "No request can be signed.")];
  const server = deps.compose(db, secretKey);
  try {
    findings.push(await examineLeftovers(server));
    findings.push(
      ...(isReached
        ? await examineFederation(deps, server)
        : [skipped("federation", "Nothing can be asked from outside.")]),
    );
  } finally {
    server.close();
  }
  return findings;
}
