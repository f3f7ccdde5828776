import path from "node:path";
import type { FixedHost } from "../lib/http-client/fetch-hosts.ts";
import { readMailAddress } from "../lib/mail/mail-address.ts";
import type { S3Place } from "../lib/object-store/s3-place.ts";
import type { SmtpServer } from "../lib/mail/smtp-url.ts";
import { parseOrigin, readBaseUrl } from "./base-url.ts";
import { NO_CONFIG_FILE, type ConfigFile } from "./config-file.ts";
import { createReader, findGiven } from "./reader.ts";
import type { Env, Flags, SettingsReader } from "./reader.ts";
import { parseSecretKey } from "./secret-key.ts";
import { readTracing, type TracingConfig } from "./tracing-variables.ts";
import {
  LOG_FORMATS,
  LOG_LEVELS,
  parseAddress,
  parseAddresses,
  parseApiVersion,
  parseDays,
  parseHosts,
  parseMailAddress,
  parsePassphrase,
  parsePort,
  parsePostgresUrl,
  parseProtocols,
  parseProxies,
  parseRateLimits,
  parseImportMb,
  parseRecordingMb,
  parseRemoteMediaMb,
  parseSignUps,
  parseBackupDir,
  parseBucketUrl,
  parseSmtpUrl,
  parseSwitch,
  parseProcesses,
  parseThousand,
  REGISTRATIONS,
  WHO_INVITES,
} from "./values.ts";

/** The settings of the server, without secrets. */
export type Config = {
  /** scheme://host[:port], without a trailing slash. */
  baseUrl: string;
  /** host[:port] as handles have it, without a leading "www.". */
  baseHost: string;
  port: number;
  /** Does only this machine reach the server? */
  isOfThisMachine: boolean;
  /**
   * IP addresses to listen on. With both `0.0.0.0` and `::`, listen on the
   * latter for IPv6 only; an address family that the machine lacks may be left
   * out.
   */
  bind: string[];
  /** `v` and a number, but not 1 or 2. */
  apiVersion: string;
  /** As given: relative to the working directory. */
  dataDir: string;
  database: { kind: "sqlite"; file: string } | { kind: "postgres" };
  registration: (typeof REGISTRATIONS)[number];
  whoInvites: (typeof WHO_INVITES)[number];
  /** Do programs get tokens in exchange for a password? */
  passwordGrant: boolean;
  protocols: { activitypub: boolean; diaspora: boolean };
  allowPrivateNetwork: boolean;
  /**
   * Serve ActivityPub documents, except actors' keys, to signed requests only?
   */
  authorizedFetch: boolean;
  /** Federate only with hosts that an operator has allowed? */
  onlyAllowedHosts: boolean;
  /** Hosts with a fixed address, private or not. */
  hosts: FixedHost[];
  logLevel: (typeof LOG_LEVELS)[number];
  /** null: as it suits standard output. */
  logFormat: (typeof LOG_FORMATS)[number] | null;
  /** Is each request logged? */
  accessLog: boolean;
  /** Does `kith serve` work off the queue, too? */
  worker: boolean;
  /** Concurrent deliveries in one process. */
  concurrency: number;
  /** How many processes one command starts. */
  processes: number;
  /** Of all cached pictures, sounds and videos of other servers together. */
  remoteMediaBytes: number;
  /** After how many days things of other servers may be removed; null for never. */
  storage: {
    notificationDays: number | null;
    remotePostDays: number | null;
    followedPostDays: number | null;
  };
  media: {
    /** The origin at which public files are sent; null for the base URL. */
    host: string | null;
    /** Do readers load files from the bucket itself, at signed addresses? */
    isSigned: boolean;
    /** The origins of both. */
    origins: string[];
  };
  /** Of one uploaded sound or video. */
  recordings: { maxBytes: number; maxDurationMs: number };
  /** Of one archive that is uploaded to be imported. */
  importBytes: number;
  /** Are pages that public posts link read, to show previews? */
  linkPreviews: boolean;
  /** Is it shown what many people use, like and link at the moment? */
  trends: boolean;
  /** Where metrics and health are served to operators; null if they are not. */
  metrics: { host: string; port: number } | null;
  /** Where traces go is a variable of OpenTelemetry's own; null if nowhere. */
  tracing: TracingConfig;
  /** Multiplies the default rate limits; null for none. */
  rateLimits: number | null;
  /**
   * Multiplies the limits of requests, but not those of guessing passwords and
   * codes.
   */
  requestFactor: number;
  /** Accounts that one network may create per hour, before `rateLimits`. */
  signUpsPerHour: number;
  /** When and where backups are made; null if they are not. */
  backups: {
    /** null where they are kept in a bucket (`secrets.backups`). */
    folder: string | null;
    everyHours: number;
    /** How many are kept. */
    keep: number;
  } | null;
  /** Is the database copied before the schema changes? */
  backupBeforeUpgrade: boolean;
  /** The sender of mails; null if none are sent. */
  mail: { from: string } | null;
  /** IP addresses, ranges, or the words loopback, linklocal, uniquelocal. */
  trustedProxies: string[];
};

/** Secrets, which must never be logged or shown. */
export type Secrets = {
  /** With its password; present if `database.kind` is postgres. */
  databaseUrl?: string;
  databasePoolUrl?: string;
  /** Of a standby. */
  databaseReplicaUrl?: string;
  /** 32 bytes, if it is given as a setting. */
  secretKey?: Uint8Array;
  /** Seals the secret key in backups. */
  backupPassphrase?: string;
  /** The mail server, with name and password. */
  smtp?: SmtpServer;
  /** The object store of uploads, with its key. */
  media?: S3Place;
  /** The bucket of backups, with its key. */
  backups?: S3Place;
};

const DEFAULT_PORT = 3000;

const isLoopbackAddress = (address: string) =>
  address === "::1" || address.startsWith("127.");

const MIB = 1024 * 1024;
const SQLITE_FILE = "kith.sqlite";

/**
 * Reads all settings: from the flags of the command line (by name without
 * dashes), else from the environment, else from the configuration file. An empty
 * string counts as absent.
 * @throws {ConfigError} with every fault, each in a sentence
 */
export function readConfig(
  env: Env,
  flags: Flags,
  file: ConfigFile = NO_CONFIG_FILE,
): { config: Config; secrets: Secrets; warnings: readonly string[] } {
  const reader = createReader(env, flags, file);
  const port = reader.read("KITH_PORT", parsePort);
  const base = readBaseUrl(reader, port);
  const dataDir = reader.text("KITH_DATA_DIR") ?? DEFAULT_DATA_DIR;
  const databaseUrl = reader.read("KITH_DATABASE_URL", parsePostgresUrl);
  const databasePoolUrl = reader.read(
    "KITH_DATABASE_POOL_URL",
    parsePostgresUrl,
  );
  const databaseReplicaUrl = reader.read(
    "KITH_DATABASE_REPLICA_URL",
    parsePostgresUrl,
  );
  if (databasePoolUrl !== undefined && databaseUrl === undefined)
    reader.fault(
      "KITH_DATABASE_POOL_URL is set, and KITH_DATABASE_URL is not: both must name the same database.",
    );
  if (databaseReplicaUrl !== undefined && databaseUrl === undefined)
    reader.fault(
      "KITH_DATABASE_REPLICA_URL is set, and KITH_DATABASE_URL is not: a replica is one of PostgreSQL, and SQLite has none.",
    );
  const backups = reader.read("KITH_BACKUP_URL", parseBucketUrl);
  const choices = {
    ...readChoices(reader, base.isLoopback),
    backups: readBackups(reader, backups !== undefined),
  };
  const smtp = reader.read("KITH_SMTP_URL", parseSmtpUrl);
  const media = reader.read("KITH_MEDIA_URL", parseBucketUrl);
  const mailFrom = reader.read("KITH_MAIL_FROM", parseMailAddress);
  const config: Config = {
    baseUrl: base.origin,
    baseHost: base.host.replace(/^www\./, ""),
    port: port ?? (base.isLoopback ? base.port : DEFAULT_PORT),
    dataDir,
    database:
      databaseUrl === undefined
        ? { kind: "sqlite", file: path.join(dataDir, SQLITE_FILE) }
        : { kind: "postgres" },
    ...choices,
    media: readMediaHosts(reader, base, media),
    tracing: readTracing(env, (text) => reader.fault(text)),
    mail: smtp ? { from: mailFrom ?? senderAt(base.host) } : null,
    isOfThisMachine: base.isLoopback && choices.bind.every(isLoopbackAddress),
  };
  const secretKey = reader.read("KITH_SECRET_KEY", parseSecretKey);
  const backupPassphrase = reader.read(
    "KITH_BACKUP_PASSPHRASE",
    parsePassphrase,
  );
  const warnings = reader.finish();
  const secrets = {
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(databasePoolUrl !== undefined && { databasePoolUrl }),
    ...(databaseReplicaUrl !== undefined && { databaseReplicaUrl }),
    ...(secretKey && { secretKey }),
    ...(backupPassphrase !== undefined && { backupPassphrase }),
    ...(smtp && { smtp }),
    ...(media && { media }),
    ...(backups && { backups }),
  };
  return { config, secrets, warnings };
}

/** @param host of the base URL, with its port */
function senderAt(host: string): string {
  const name = host.replace(/^www\./, "").replace(/:\d+$/, "");
  return readMailAddress(`noreply@${name}`) ?? "noreply@localhost";
}

const DEFAULT_DATA_DIR = "./data";

/** Names the data directory before the file is read, which may be in it. */
export function findDataDir(env: Env, flags: Flags): string {
  const given = findGiven(env, flags, NO_CONFIG_FILE, "KITH_DATA_DIR");
  return given?.text ?? DEFAULT_DATA_DIR;
}

function readChoices(reader: SettingsReader, isLoopback: boolean) {
  return {
    bind:
      reader.read("KITH_BIND", parseAddresses) ??
      (isLoopback ? ["127.0.0.1", "::1"] : ["0.0.0.0", "::"]),
    apiVersion: reader.read("KITH_API_VERSION", parseApiVersion) ?? "v0",
    registration:
      reader.oneOf("KITH_REGISTRATION", REGISTRATIONS) ??
      (isLoopback ? ("open" as const) : ("closed" as const)),
    whoInvites: reader.oneOf("KITH_INVITATIONS", WHO_INVITES) ?? "admins",
    passwordGrant: reader.read("KITH_PASSWORD_GRANT", parseSwitch) ?? true,
    protocols: reader.read("KITH_PROTOCOLS", parseProtocols) ?? {
      activitypub: true,
      diaspora: true,
    },
    allowPrivateNetwork:
      reader.read("KITH_ALLOW_PRIVATE_NETWORK", parseSwitch) ?? isLoopback,
    authorizedFetch: reader.read("KITH_AUTHORIZED_FETCH", parseSwitch) ?? false,
    onlyAllowedHosts:
      reader.read("KITH_ONLY_ALLOWED_HOSTS", parseSwitch) ?? false,
    hosts: reader.read("KITH_HOSTS", parseHosts) ?? [],
    logLevel: reader.oneOf("KITH_LOG_LEVEL", LOG_LEVELS) ?? ("info" as const),
    logFormat: reader.oneOf("KITH_LOG_FORMAT", LOG_FORMATS) ?? null,
    accessLog: reader.read("KITH_ACCESS_LOG", parseSwitch) ?? false,
    worker: reader.read("KITH_WORKER", parseSwitch) ?? true,
    concurrency: reader.read("KITH_CONCURRENCY", parseThousand) ?? 256,
    processes: reader.read("KITH_PROCESSES", parseProcesses) ?? 1,
    remoteMediaBytes:
      (reader.read("KITH_REMOTE_MEDIA_MB", parseRemoteMediaMb) ?? 1024) * MIB,
    storage: {
      notificationDays:
        reader.read("KITH_NOTIFICATION_DAYS", parseDays) ?? null,
      remotePostDays: reader.read("KITH_REMOTE_POST_DAYS", parseDays) ?? null,
      followedPostDays:
        reader.read("KITH_FOLLOWED_POST_DAYS", parseDays) ?? null,
    },
    recordings: {
      maxBytes:
        (reader.read("KITH_RECORDING_MB", parseRecordingMb) ?? 40) * MIB,
      maxDurationMs:
        (reader.read("KITH_RECORDING_MINUTES", parseThousand) ?? 60) * 60_000,
    },
    importBytes: (reader.read("KITH_IMPORT_MB", parseImportMb) ?? 1024) * MIB,
    linkPreviews: reader.read("KITH_LINK_PREVIEWS", parseSwitch) ?? true,
    trends: reader.read("KITH_TRENDS", parseSwitch) ?? true,
    metrics: readMetrics(reader),
    ...readRateLimits(reader, isLoopback),
    signUpsPerHour:
      reader.read("KITH_SIGN_UPS", parseSignUps) ?? (isLoopback ? 500 : 10),
    backupBeforeUpgrade:
      reader.read("KITH_BACKUP_BEFORE_UPGRADE", parseSwitch) ?? true,
    trustedProxies: reader.read("KITH_TRUSTED_PROXIES", parseProxies) ?? [],
  };
}

/** On loopback all programs share one address. */
const LOOPBACK_REQUESTS = 200;

function readRateLimits(
  reader: SettingsReader,
  isLoopback: boolean,
): Pick<Config, "rateLimits" | "requestFactor"> {
  const given = reader.read("KITH_RATE_LIMITS", parseRateLimits);
  return given === undefined
    ? { rateLimits: 1, requestFactor: isLoopback ? LOOPBACK_REQUESTS : 1 }
    : { rateLimits: given, requestFactor: 1 };
}

function readMediaHosts(
  reader: SettingsReader,
  { isLoopback, origin }: { isLoopback: boolean; origin: string },
  place: S3Place | undefined,
): Config["media"] {
  const host = reader.read("KITH_MEDIA_HOST", parseOrigin) ?? null;
  const isSigned = reader.read("KITH_MEDIA_SIGNED", parseSwitch) ?? false;
  if (isSigned && !place)
    reader.fault(
      "KITH_MEDIA_SIGNED is on, and there is no bucket: set KITH_MEDIA_URL, too.",
    );
  const endpoint = isSigned && place ? place.endpoint : undefined;
  if (!isLoopback && endpoint?.startsWith("http:"))
    reader.fault(
      "KITH_MEDIA_SIGNED is on, and the bucket is reached without TLS: KITH_MEDIA_URL must begin with s3://.",
    );
  if (host === origin)
    reader.fault("KITH_MEDIA_HOST must be another host than KITH_BASE_URL.");
  const origins = [host, endpoint].flatMap((one) => one ?? []);
  return { host, isSigned, origins };
}

function readMetrics(reader: SettingsReader): Config["metrics"] {
  const port = reader.read("KITH_METRICS_PORT", parsePort);
  const host = reader.read("KITH_METRICS_HOST", parseAddress) ?? "127.0.0.1";
  return port === undefined ? null : { host, port };
}

function readBackups(
  reader: SettingsReader,
  hasBucket: boolean,
): Config["backups"] {
  const folder = reader.read("KITH_BACKUP_DIR", parseBackupDir) ?? null;
  if (hasBucket && folder !== null)
    reader.fault(
      "KITH_BACKUP_DIR and KITH_BACKUP_URL are both set: backups are made in one place.",
    );
  const everyHours = reader.read("KITH_BACKUP_HOURS", parseThousand) ?? 24;
  const keep = reader.read("KITH_BACKUP_KEEP", parseThousand) ?? 7;
  return folder === null && !hasBucket ? null : { folder, everyHours, keep };
}
