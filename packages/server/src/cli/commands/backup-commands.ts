import type { MadeBackup } from "../../backups/make-backup.ts";
import type { Manifest } from "../../backups/manifest.ts";
import type { Restored } from "../../backups/restore-backup.ts";
import { inUnits } from "../in-units.ts";
import type { Progress } from "../show-progress.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

type NoteBytes = (bytes: number, ofAll: number) => void;

/** Backups of this server. */
type Backups = {
  make(
    destination: string,
    onProgress: (progress: {
      readonly files: number;
      readonly bytes: number;
      readonly databaseBytes: number;
    }) => void,
  ): Promise<MadeBackup>;
  verify(backup: string, onProgress: NoteBytes): Promise<Manifest>;
  restore(backup: string, onProgress: NoteBytes): Promise<Restored>;
};

export type BackupCommandCall = {
  readonly backups: Backups;
  readonly words: readonly string[];
  readonly options: CommandOptions;
  readonly baseUrl: string;
  readonly write: Write;
  readonly progress: Progress;
};

const USAGE =
  "kith backup FOLDER|FILE.tar|s3://BUCKET/PREFIX, kith backup verify BACKUP";

/** Verbs of this command and of others, mistyped more likely than meant as a folder. */
const NOT_A_PATH = new Set([
  ...["verify", "list", "show", "create", "make"],
  ...["restore", "delete", "help"],
]);

/** `kith backup …` @throws {UsageError} @throws {OperatorError} */
export async function runBackupCommand(call: BackupCommandCall): Promise<void> {
  const [first, second, ...more] = call.words;
  if (first === undefined || more.length > 0) throw new UsageError(USAGE);
  if (first === "verify" && second !== undefined) return verify(call, second);
  // Without its path, a subcommand would become the name of a folder.
  if (NOT_A_PATH.has(first))
    throw new UsageError(
      first === "verify"
        ? `The path of the backup is missing: ${USAGE}`
        : `${first} is not a path: ${USAGE}. A folder of that name is ./${first}.`,
    );
  if (second !== undefined) throw new UsageError(USAGE);
  return make(call, first);
}

async function make(call: BackupCommandCall, to: string): Promise<void> {
  const { backups, options, write, progress } = call;
  const made = await backups.make(to, ({ files, bytes, databaseBytes }) =>
    progress(
      `${files} files, ${inUnits(bytes)}; database: ${inUnits(databaseBytes)}`,
    ),
  );
  if (options.json) return write(JSON.stringify(made));
  write(`${made.path}: ${made.files} files, ${inUnits(made.bytes)}.`);
  write(
    made.hasSecretKey
      ? "The secret key is in it, sealed by KITH_BACKUP_PASSPHRASE."
      : "The secret key is not in it. Keep a copy of it in another place: without it, no account can send anything.",
  );
}

async function verify(call: BackupCommandCall, backup: string): Promise<void> {
  const { backups, options, write, progress } = call;
  const manifest = await backups.verify(backup, sumOf(progress));
  if (options.json) return write(JSON.stringify(summarize(manifest)));
  write(
    `${withoutKey(backup)} is whole: ${describe(manifest)}. Its database could be restored, with the same rows.`,
  );
}

/** The address of a bucket may have a secret. */
function withoutKey(backup: string): string {
  return backup.replace(/^(s3(?:\+http)?:\/\/)[^@/]*@/, "$1");
}

/** `kith restore BACKUP` @throws {UsageError} @throws {OperatorError} */
export async function runRestoreCommand(
  call: BackupCommandCall,
): Promise<void> {
  const { backups, words, options, write, progress, baseUrl } = call;
  const [backup, ...more] = words;
  if (backup === undefined || more.length > 0)
    throw new UsageError("kith restore BACKUP");
  const restored = await backups.restore(backup, sumOf(progress));
  const { manifest, leftOut, hasSecretKey } = restored;
  if (options.json)
    return write(
      JSON.stringify({ ...summarize(manifest), leftOut, hasSecretKey }),
    );
  write(`Restored: ${describe(manifest)}.`);
  if (leftOut.length > 0)
    write(`Left out, because they are not Kith's: ${leftOut.join(", ")}.`);
  if (!hasSecretKey)
    write(
      "The secret key is missing. Before you start Kith, put back secret.key into the data directory, or set KITH_SECRET_KEY.",
    );
  if (manifest.baseUrl !== baseUrl)
    write(
      `It is the server at ${manifest.baseUrl}. Start it with KITH_BASE_URL=${manifest.baseUrl}.`,
    );
}

function summarize({ kith, baseUrl, takenAt, database, files }: Manifest) {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0);
  const { kind, migrations } = database;
  const schema = Math.max(0, ...migrations);
  const count = files.length;
  return { kith, baseUrl, takenAt, kind, schema, rows, files: count, bytes };
}

function describe(manifest: Manifest): string {
  const { kith, takenAt, rows, files, bytes } = summarize(manifest);
  return `the state of ${takenAt}, by Kith ${kith}, ${rows} rows, ${files} files, ${inUnits(bytes)}`;
}

function sumOf(progress: Progress): NoteBytes {
  let [files, bytes] = [0, 0];
  return (more, ofAll) => {
    files += 1;
    bytes += more;
    progress(`${files} files, ${inUnits(bytes)}`, bytes / ofAll);
  };
}
