import type { Config, Secrets } from "./config.ts";
import type { ConfigFile } from "./config-file.ts";
import {
  findGiven,
  type Env,
  type Flags,
  type SettingSource,
} from "./reader.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

/** One setting as it is in force. */
export type ShownSetting = {
  readonly name: SettingName;
  /** Null where there is none, and for a secret. */
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly source: SettingSource;
  /** The flag, the variable, or the line of the file; null for a default. */
  readonly place: string | null;
};

/** Lists all settings with their values and where these come from. */
export function showConfig(
  { config, secrets }: { readonly config: Config; readonly secrets: Secrets },
  env: Env,
  flags: Flags,
  file: ConfigFile,
): ShownSetting[] {
  const values = valuesOf(config, file);
  const hasSecret: Partial<Record<SettingName, boolean>> = {
    KITH_DATABASE_URL: secrets.databaseUrl !== undefined,
    KITH_DATABASE_POOL_URL: secrets.databasePoolUrl !== undefined,
    KITH_DATABASE_REPLICA_URL: secrets.databaseReplicaUrl !== undefined,
    KITH_SECRET_KEY: secrets.secretKey !== undefined,
    KITH_BACKUP_PASSPHRASE: secrets.backupPassphrase !== undefined,
    KITH_BACKUP_URL: secrets.backups !== undefined,
    KITH_SMTP_URL: secrets.smtp !== undefined,
    KITH_MEDIA_URL: secrets.media !== undefined,
  };
  return SETTINGS.map(({ name }) => {
    const given = findGiven(env, flags, file, name);
    return {
      name,
      value: values[name],
      isSecret: hasSecret[name] ?? false,
      source: given?.source ?? "default",
      place: given?.shown ?? null,
    };
  });
}

function valuesOf(
  config: Config,
  file: ConfigFile,
): Record<SettingName, string | null> {
  const { metrics, backups, rateLimits, protocols } = config;
  return {
    KITH_CONFIG: file.path ?? null,
    KITH_BASE_URL: config.baseUrl,
    KITH_PORT: String(config.port),
    KITH_BIND: config.bind.join(","),
    KITH_API_VERSION: config.apiVersion,
    KITH_DATA_DIR: config.dataDir,
    KITH_DATABASE_URL: null,
    KITH_DATABASE_POOL_URL: null,
    KITH_DATABASE_REPLICA_URL: null,
    KITH_SECRET_KEY: null,
    KITH_REGISTRATION: config.registration,
    KITH_PASSWORD_GRANT: String(config.passwordGrant),
    KITH_INVITATIONS: config.whoInvites,
    KITH_PROTOCOLS: Object.entries(protocols)
      .flatMap(([name, isSpoken]) => (isSpoken ? [name] : []))
      .join(","),
    KITH_ALLOW_PRIVATE_NETWORK: String(config.allowPrivateNetwork),
    KITH_AUTHORIZED_FETCH: String(config.authorizedFetch),
    KITH_ONLY_ALLOWED_HOSTS: String(config.onlyAllowedHosts),
    KITH_HOSTS: orNull(
      config.hosts
        .map(({ name, address, port }) =>
          address.includes(":")
            ? `${name}=[${address}]:${port}`
            : `${name}=${address}:${port}`,
        )
        .join(","),
    ),
    KITH_LOG_LEVEL: config.logLevel,
    KITH_LOG_FORMAT: config.logFormat,
    KITH_ACCESS_LOG: String(config.accessLog),
    KITH_WORKER: String(config.worker),
    KITH_CONCURRENCY: String(config.concurrency),
    KITH_PROCESSES: String(config.processes),
    KITH_REMOTE_MEDIA_MB: String(config.remoteMediaBytes / 1024 ** 2),
    KITH_REMOTE_POST_DAYS: daysOf(config.storage.remotePostDays),
    KITH_FOLLOWED_POST_DAYS: daysOf(config.storage.followedPostDays),
    KITH_NOTIFICATION_DAYS: daysOf(config.storage.notificationDays),
    KITH_RECORDING_MB: String(config.recordings.maxBytes / 1024 ** 2),
    KITH_RECORDING_MINUTES: String(config.recordings.maxDurationMs / 60_000),
    KITH_IMPORT_MB: String(config.importBytes / 1024 ** 2),
    KITH_LINK_PREVIEWS: String(config.linkPreviews),
    KITH_TRENDS: String(config.trends),
    KITH_METRICS_PORT: metrics && String(metrics.port),
    KITH_METRICS_HOST: metrics && metrics.host,
    KITH_RATE_LIMITS: rateLimits === null ? "off" : String(rateLimits),
    KITH_SIGN_UPS: String(config.signUpsPerHour),
    KITH_BACKUP_DIR: backups && backups.folder,
    KITH_BACKUP_URL: null,
    KITH_BACKUP_HOURS: backups && String(backups.everyHours),
    KITH_BACKUP_KEEP: backups && String(backups.keep),
    KITH_BACKUP_PASSPHRASE: null,
    KITH_BACKUP_BEFORE_UPGRADE: String(config.backupBeforeUpgrade),
    KITH_MEDIA_URL: null,
    KITH_MEDIA_SIGNED: String(config.media.isSigned),
    KITH_MEDIA_HOST: config.media.host,
    KITH_SMTP_URL: null,
    KITH_MAIL_FROM: config.mail && config.mail.from,
    KITH_TRUSTED_PROXIES: orNull(config.trustedProxies.join(",")),
  };
}

function daysOf(days: number | null): string {
  return days === null ? "off" : String(days);
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
