/** One setting: its names, its default, and its description. */
type Setting = {
  /** The environment variable. */
  name: string;
  /**
   * The same as a flag, without the two dashes; null for a secret, since every
   * user of the machine can read command lines.
   */
  flag: string | null;
  /** The placeholder of the value in the help. */
  value: string;
  /** The default in words. */
  default: string;
  doc: string;
  /** As a flag it takes no value. */
  isSwitch?: true;
  /** Shown to nobody. */
  isSecret?: true;
  /** In the configuration file it starts at the folder of the file. */
  isPath?: true;
  /** It cannot be in the configuration file. */
  isNotInFile?: true;
};

/** All settings. The help and the operator's page are generated from this. */
export const SETTINGS = [
  {
    name: "KITH_CONFIG",
    flag: "config",
    value: "FILE",
    default: "kith.toml in the data directory, else /etc/kith/kith.toml",
    doc: "A configuration file with any of these settings, named as the variables are, without KITH_ and in small letters. It need not exist, unless it is named here.",
    isNotInFile: true,
  },
  {
    name: "KITH_BASE_URL",
    flag: "base-url",
    value: "URL",
    default: "http://localhost:3000",
    doc: "The address under which people and other servers reach this server. Handles are made from its host, so it can never change. http is for loopback hosts only.",
  },
  {
    name: "KITH_PORT",
    flag: "port",
    value: "PORT",
    default: "the port of the base URL where that is loopback, else 3000",
    doc: "The port to listen on. Given alone, it also makes the base URL http://localhost:PORT.",
  },
  {
    name: "KITH_BIND",
    flag: "bind",
    value: "ADDRESSES",
    default:
      "localhost (IPv4 and IPv6) where the base URL is loopback, else all",
    doc: "The IP addresses to listen on, separated by commas, or the words localhost or all.",
  },
  {
    name: "KITH_API_VERSION",
    flag: "api-version",
    value: "vN",
    default: "v0",
    doc: "The version in the paths of the service API. v1 and v2 are taken by other interfaces.",
  },
  {
    name: "KITH_DATA_DIR",
    flag: "data-dir",
    value: "DIRECTORY",
    default: "./data",
    doc: "Where the embedded database and uploaded files are kept.",
    isPath: true,
  },
  {
    name: "KITH_DATABASE_URL",
    flag: "database-url",
    value: "URL",
    default: "empty: SQLite in the data directory",
    doc: "A PostgreSQL database, as postgres://user:password@host/database. It is never logged.",
    isSecret: true,
  },
  {
    name: "KITH_DATABASE_POOL_URL",
    flag: null,
    value: "URL",
    default: "empty: KITH_DATABASE_URL",
    doc: "The same database through a pooler in transaction mode, such as PgBouncer: queries and transactions go there; locks, notices and backups to KITH_DATABASE_URL. It is never logged.",
    isSecret: true,
  },
  {
    name: "KITH_DATABASE_REPLICA_URL",
    flag: null,
    value: "URL",
    default: "empty: everything is read from KITH_DATABASE_URL",
    doc: "A streaming standby of the same database: strangers read public pages and documents there, at most five seconds old. It is never logged.",
    isSecret: true,
  },
  {
    name: "KITH_SECRET_KEY",
    flag: null,
    value: "HEX",
    default:
      "empty: the file secret.key in the data directory, made at the first start",
    doc: "The key with which private keys and tokens are sealed in the database, as 64 hexadecimal characters. It can never change, and nothing sealed is read without it. It is never logged.",
    isSecret: true,
  },
  {
    name: "KITH_REGISTRATION",
    flag: "registration",
    value: "open|approval|closed",
    default: "open where the base URL is loopback, else closed",
    doc: "Who may sign up: everybody, those whom an administrator approves, or nobody.",
  },
  {
    name: "KITH_PASSWORD_GRANT",
    flag: "password-grant",
    value: "true|false",
    default: "true",
    doc: "Whether programs get tokens of the service API in exchange for a password. Without it they open a page on which people let them in (OAuth); tokens that were given stay valid.",
    isSwitch: true,
  },
  {
    name: "KITH_INVITATIONS",
    flag: "invitations",
    value: "admins|users|off",
    default: "admins",
    doc: "Who may invite people, who then sign up whatever KITH_REGISTRATION says: administrators, everybody who has an account, or nobody.",
  },
  {
    name: "KITH_PROTOCOLS",
    flag: "protocols",
    value: "LIST",
    default: "activitypub,diaspora",
    doc: "The protocols to speak with other servers, separated by commas. One that is left out has no routes and is not announced.",
  },
  {
    name: "KITH_ALLOW_PRIVATE_NETWORK",
    flag: "allow-private-network",
    value: "true|false",
    default: "true where the base URL is loopback, else false",
    doc: "Whether this server may connect to loopback and private addresses, and with http to such hosts. For tests and closed networks.",
    isSwitch: true,
  },
  {
    name: "KITH_AUTHORIZED_FETCH",
    flag: "authorized-fetch",
    value: "true|false",
    default: "false",
    doc: "Whether other servers must sign their requests for ActivityPub objects, activities and collections; who does not gets 401, and of people no more than their keys and addresses. It keeps out servers that are blocked, and readers that cannot sign.",
    isSwitch: true,
  },
  {
    name: "KITH_ONLY_ALLOWED_HOSTS",
    flag: "only-allowed-hosts",
    value: "true|false",
    default: "false",
    doc: "Whether this server deals with those hosts alone that kith hosts allow has named, and with all below them. Every other one is treated as if it were blocked.",
    isSwitch: true,
  },
  {
    name: "KITH_HOSTS",
    flag: "hosts",
    value: "LIST",
    default: "empty: every host is looked up",
    doc: "Hosts that this server reaches at a given address, as NAME=ADDRESS or NAME=ADDRESS:PORT separated by commas, over https. A name may begin with *. for all below it, or be * for every name. The address may be private although the others must not be. For servers in a network of one's own, and for tests.",
  },
  {
    name: "KITH_LOG_LEVEL",
    flag: "log-level",
    value: "LEVEL",
    default: "info",
    doc: "How much to log: trace, debug, info, warn, error, fatal or silent.",
  },
  {
    name: "KITH_LOG_FORMAT",
    flag: "log-format",
    value: "json|human",
    default: "human in a terminal, else json",
    doc: "How kith serve and kith worker write their lines: one JSON object in each, or words for people.",
  },
  {
    name: "KITH_ACCESS_LOG",
    flag: "access-log",
    value: "true|false",
    default: "false",
    doc: "Log each request with its method, route, status, duration and bytes. Neither addresses of visitors nor names and secrets in paths are logged.",
    isSwitch: true,
  },
  {
    name: "KITH_WORKER",
    flag: "worker",
    value: "true|false",
    default: "true",
    doc: "Whether kith serve also works off the queue. With PostgreSQL and --no-worker, processes of kith worker do it.",
    isSwitch: true,
  },
  {
    name: "KITH_CONCURRENCY",
    flag: "concurrency",
    value: "NUMBER",
    default: "256",
    doc: "How many deliveries to other servers one process has begun at once, 1 to 1000, not counting those that only wait for a slow server; and a sixteenth of it of all other jobs.",
  },
  {
    name: "KITH_PROCESSES",
    flag: "processes",
    value: "NUMBER",
    default: "1",
    doc: "In how many processes kith serve, or kith worker, runs, 1 to 64: about as many as the machine has cores. They share the port and are started again when they end. More than one need PostgreSQL.",
  },
  {
    name: "KITH_REMOTE_MEDIA_MB",
    flag: "remote-media-mb",
    value: "NUMBER",
    default: "1024",
    doc: "How many MiB of other servers' pictures, sounds and videos are kept in the data directory at most, 64 to 1000000. Readers load them from this server; those not used for the longest time go first.",
  },
  {
    name: "KITH_REMOTE_POST_DAYS",
    flag: "remote-post-days",
    value: "DAYS",
    default: "off",
    doc: "After how many days, 31 to 36500, public posts of other servers are removed that nobody here had to do with, by people whom nobody here follows, and after them people to whom nothing here refers. kith storage tells beforehand how much that frees. off keeps them.",
  },
  {
    name: "KITH_FOLLOWED_POST_DAYS",
    flag: "followed-post-days",
    value: "DAYS",
    default: "off",
    doc: "The same for posts by people whom somebody here follows, or with a tag that somebody here follows.",
  },
  {
    name: "KITH_NOTIFICATION_DAYS",
    flag: "notification-days",
    value: "DAYS",
    default: "off",
    doc: "After how many days, 31 to 36500, notifications are removed, read or not. off keeps them, and the posts that they are about.",
  },
  {
    name: "KITH_RECORDING_MB",
    flag: "recording-mb",
    value: "NUMBER",
    default: "40",
    doc: "How many MiB an uploaded sound or video may have, 1 to 100. Uploads are in memory while they are checked.",
  },
  {
    name: "KITH_RECORDING_MINUTES",
    flag: "recording-minutes",
    value: "NUMBER",
    default: "60",
    doc: "How many minutes an uploaded sound or video may take, 1 to 1000.",
  },
  {
    name: "KITH_IMPORT_MB",
    flag: "import-mb",
    value: "NUMBER",
    default: "1024",
    doc: "How many MiB an archive may have that people upload to import it, 1 to 20000.",
  },
  {
    name: "KITH_LINK_PREVIEWS",
    flag: "link-previews",
    value: "true|false",
    default: "true",
    doc: "Whether this server reads the pages that public posts link, to show their titles and pictures. Each author can switch it off for their own posts.",
    isSwitch: true,
  },
  {
    name: "KITH_TRENDS",
    flag: "trends",
    value: "true|false",
    default: "true",
    doc: "Whether apps are shown the tags, posts and links of public posts that many people use, like and share at the moment.",
    isSwitch: true,
  },
  {
    name: "KITH_METRICS_PORT",
    flag: "metrics-port",
    value: "PORT",
    default: "empty: they are not served",
    doc: "The port on which metrics (/metrics, for Prometheus) and health (/healthz, /readyz) are served to operators.",
  },
  {
    name: "KITH_METRICS_HOST",
    flag: "metrics-host",
    value: "ADDRESS",
    default: "127.0.0.1",
    doc: "The IP address for KITH_METRICS_PORT. Whoever reaches it can read the metrics: keep it away from the public.",
  },
  {
    name: "KITH_RATE_LIMITS",
    flag: "rate-limits",
    value: "FACTOR|off",
    default:
      "1; on loopback requests have 200 times as much unless this is set",
    doc: "How many times the usual limits one address and one account may ask for something, 0.01 to 1000; off lets everything through, guesses of passwords, too.",
  },
  {
    name: "KITH_SIGN_UPS",
    flag: "sign-ups",
    value: "NUMBER",
    default: "10; 500 where the base URL is loopback",
    doc: "How many accounts one address may make in an hour without an invitation, 1 to 10000; KITH_RATE_LIMITS scales it.",
  },
  {
    name: "KITH_BACKUP_DIR",
    flag: "backup-dir",
    value: "DIRECTORY",
    default: "empty: none are made by itself",
    doc: "A folder, best on another disk, in which the server makes a backup of itself regularly.",
    isPath: true,
  },
  {
    name: "KITH_BACKUP_URL",
    flag: null,
    value: "URL",
    default: "empty: none are made there",
    doc: "Instead of KITH_BACKUP_DIR: the bucket of an object store for backups, in the form of KITH_MEDIA_URL, best of another provider. It is never logged.",
    isSecret: true,
  },
  {
    name: "KITH_BACKUP_HOURS",
    flag: "backup-hours",
    value: "NUMBER",
    default: "24",
    doc: "How many hours lie between two backups in KITH_BACKUP_DIR or KITH_BACKUP_URL, 1 to 1000.",
  },
  {
    name: "KITH_BACKUP_KEEP",
    flag: "backup-keep",
    value: "NUMBER",
    default: "7",
    doc: "How many backups are kept there, 1 to 1000. Older ones are removed when a new one is whole.",
  },
  {
    name: "KITH_BACKUP_PASSPHRASE",
    flag: null,
    value: "TEXT",
    default: "empty: backups do not hold the secret key",
    doc: "With this passphrase of 12 characters or more the secret key is sealed into backups, and opened by kith restore. It is never logged.",
    isSecret: true,
  },
  {
    name: "KITH_BACKUP_BEFORE_UPGRADE",
    flag: "backup-before-upgrade",
    value: "true|false",
    default: "true",
    doc: "Whether the database is copied before a newer Kith changes its schema: into KITH_BACKUP_DIR or KITH_BACKUP_URL with everything else, or alone into before-upgrade in the data directory.",
    isSwitch: true,
  },
  {
    name: "KITH_MEDIA_URL",
    flag: null,
    value: "URL",
    default: "empty: the folder media in the data directory",
    doc: "The bucket of an object store in which uploads are kept, as s3://KEY_ID:SECRET@host/bucket/prefix?region=eu-central-1 (path style; s3+http:// without TLS). Key and secret are percent-encoded. kith media move brings there what is in the folder. It is never logged.",
    isSecret: true,
  },
  {
    name: "KITH_MEDIA_SIGNED",
    flag: "media-signed",
    value: "true|false",
    default: "false",
    doc: "Whether readers load files from the bucket itself, at signed addresses that are good for five minutes (sounds and videos: an hour), instead of through this server. The host in KITH_MEDIA_URL must be one that readers reach.",
    isSwitch: true,
  },
  {
    name: "KITH_MEDIA_HOST",
    flag: "media-host",
    value: "URL",
    default: "empty: the base URL",
    doc: "Another address of this server, such as https://media.example.org, at which files that everybody may see are sent: point a CDN at this server that keeps this name in Host, or let your proxy answer it, too. Nothing else is served there.",
  },
  {
    name: "KITH_SMTP_URL",
    flag: null,
    value: "URL",
    default: "empty: no mails are sent",
    doc: "The mail server that takes this server's mails, as smtp://user:password@host:587 (STARTTLS is required, but on this machine) or smtps://user:password@host (TLS from the beginning). Special characters in name and password are percent-encoded. It is never logged.",
    isSecret: true,
  },
  {
    name: "KITH_MAIL_FROM",
    flag: "mail-from",
    value: "ADDRESS",
    default: "noreply at the host of the base URL",
    doc: "The address from which mails are sent. The mail server must accept it.",
  },
  {
    name: "KITH_TRUSTED_PROXIES",
    flag: "trusted-proxies",
    value: "LIST",
    default: "empty: none",
    doc: "The reverse proxies whose X-Forwarded-For is believed: IP addresses or ranges (10.0.0.0/8), separated by commas, or the words loopback, linklocal, uniquelocal.",
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]["name"];
