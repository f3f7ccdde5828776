import type { FileState } from "../../../db/maintenance/compact-sqlite.ts";
import type { TableState } from "../../../db/maintenance/compact-postgres.ts";
import { inUnits } from "../../in-units.ts";
import type { Progress } from "../../show-progress.ts";
import { UsageError, type CommandOptions, type Write } from "../../usage.ts";

/** The database of this server, to be made smaller. */
export type Compaction =
  | {
      readonly kind: "sqlite";
      readonly examine: () => Promise<FileState>;
      readonly compact: (
        onProgress: (freeBytes: number) => void,
      ) => Promise<FileState>;
      readonly rewrite: (
        onBegin: (before: FileState) => void,
      ) => Promise<{ readonly before: FileState; readonly after: FileState }>;
    }
  | {
      readonly kind: "postgres";
      readonly examine: () => Promise<TableState[]>;
      readonly compact: (
        onProgress: (table: string, done: number, ofAll: number) => void,
      ) => Promise<TableState[]>;
    };

export type CompactCall = {
  readonly compaction: Compaction;
  readonly words: readonly string[];
  readonly options: CommandOptions;
  readonly write: Write;
  readonly progress: Progress;
};

const USAGE =
  "kith storage compact [--dry-run] [--json], kith storage compact --full [--json]";

/** `kith storage compact …` @throws {UsageError} @throws {OperatorError} */
export async function runCompactCommand(call: CompactCall): Promise<void> {
  const { compaction, words, options } = call;
  const { dryRun = false, full = false, days } = options;
  if (words.length > 1 || days !== undefined || (full && dryRun))
    throw new UsageError(USAGE);
  if (compaction.kind === "postgres") {
    if (full)
      throw new UsageError(
        "--full is for SQLite. PostgreSQL does the same with its own vacuum full, which blocks each table meanwhile.",
      );
    return compactTables(call, compaction, dryRun);
  }
  return full
    ? rewriteFile(call, compaction)
    : compactFile(call, compaction, dryRun);
}

type OfKind<Kind> = Extract<Compaction, { readonly kind: Kind }>;

async function compactFile(
  { options, write, progress }: CompactCall,
  { examine, compact }: OfKind<"sqlite">,
  dryRun: boolean,
): Promise<void> {
  const { json } = options;
  const say = (line: string) => !json && write(line);
  const before = await examine();
  const free = inUnits(before.freeBytes);
  say(`The database has ${inUnits(before.bytes)}, of which ${free} are free.`);
  if (!before.canShrink) say(CANNOT_SHRINK);
  else say(`Compacting gives back about ${free}.`);
  if (dryRun) return json ? write(JSON.stringify({ before })) : undefined;
  const after = await compact((left) => {
    const done = 1 - left / Math.max(1, before.freeBytes);
    progress(`${inUnits(left)} to give back`, Math.min(1, Math.max(0, done)));
  });
  const freed = Math.max(0, before.bytes - after.bytes);
  if (json) return write(JSON.stringify({ before, after }));
  write(`Gave back ${inUnits(freed)}: it has ${inUnits(after.bytes)} now.`);
}

const CANNOT_SHRINK =
  "The file was made by an older Kith, and cannot shrink in steps. Stop Kith, and run kith storage compact --full once, which writes it anew.";

async function rewriteFile(
  { options, write, progress }: CompactCall,
  { rewrite }: OfKind<"sqlite">,
): Promise<void> {
  const { json } = options;
  const { before, after } = await rewrite(({ bytes, freeBytes }) => {
    if (!json)
      write(
        `The database has ${inUnits(bytes)}, of which ${inUnits(freeBytes)} are free. It is written anew, with up to ${inUnits(2 * (bytes - freeBytes))} more on the disk meanwhile.`,
      );
    progress("writing it anew");
  });
  if (json) return write(JSON.stringify({ before, after }));
  const freed = Math.max(0, before.bytes - after.bytes);
  write(`Gave back ${inUnits(freed)}: it has ${inUnits(after.bytes)} now.`);
}

async function compactTables(
  { options, write, progress }: CompactCall,
  { examine, compact }: OfKind<"postgres">,
  dryRun: boolean,
): Promise<void> {
  const { json } = options;
  const before = await examine();
  const { bytes, deadRows } = sumOf(before);
  if (!json)
    write(
      `The tables have ${inUnits(bytes)}, with about ${deadRows} dead rows, whose space new rows can fill after it.`,
    );
  if (dryRun) return json ? write(JSON.stringify({ before })) : undefined;
  const after = await compact((table, done, ofAll) =>
    progress(table, done / ofAll),
  );
  if (json) return write(JSON.stringify({ before, after }));
  const freed = Math.max(0, bytes - sumOf(after).bytes);
  write(
    `Done with ${after.length} tables. ${inUnits(freed)} went back to the file system.`,
  );
}

function sumOf(tables: readonly TableState[]) {
  return {
    bytes: tables.reduce((sum, it) => sum + it.bytes, 0),
    deadRows: tables.reduce((sum, it) => sum + it.deadRows, 0),
  };
}
