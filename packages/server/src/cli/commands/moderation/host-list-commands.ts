import { readFile, stat } from "node:fs/promises";
import {
  MAX_LIST_LENGTH,
  type HostPolicies,
  type PlannedLine,
} from "../../../features/host-policies/index.ts";
import { KithError, codeOf } from "../../../lib/errors.ts";
import { startTable } from "../../table.ts";
import { UsageError, type Write } from "../../usage.ts";

type Lists = HostPolicies["lists"];

const VERBS = ["import", "export", "imports", "undo"] as const;
type Verb = (typeof VERBS)[number];

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

const PAGE = 100;

export const isHostListVerb = (verb: string): verb is Verb =>
  VERBS.some((it) => it === verb);

/** `kith hosts import|export|imports|undo` @throws {UsageError} */
export async function runHostListCommand(
  lists: Lists,
  [verb, word]: readonly [Verb, string | undefined],
  isDryRun: boolean,
  write: Write,
): Promise<void> {
  const takesWord = verb === "import" || verb === "undo";
  if (takesWord !== (word !== undefined))
    throw new UsageError(
      takesWord
        ? `kith hosts ${verb} takes one ${verb === "import" ? "file" : "number"}.`
        : `kith hosts ${verb} takes nothing.`,
    );
  if (verb === "export") return write((await lists.write()).trimEnd());
  if (verb === "imports") return listImports(lists, write);
  if (verb === "undo") return undo(lists, word ?? "", write);
  return importFile(lists, word ?? "", isDryRun, write);
}

async function importFile(
  lists: Lists,
  file: string,
  isDryRun: boolean,
  write: Write,
): Promise<void> {
  const text = await readList(file);
  const preview = await refusing(() => lists.preview(text));
  showLines(preview, write);
  if (isDryRun) return write("Nothing was changed.");
  const { id } = await refusing(() => lists.apply(COMMAND_LINE, text));
  write(
    id === undefined
      ? "Nothing was to be changed."
      : `Done. A job applies it soon; kith hosts undo ${id} takes it back.`,
  );
}

async function readList(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > 4 * MAX_LIST_LENGTH)
      throw new UsageError(`${file} is too large.`);
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${codeOf(error) ?? "?"}.`);
  }
}

/** A fault of the list or the number is one of the words. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KithError) throw new UsageError(error.message);
    throw error;
  }
}

/** The lines that change something, and how many do not, by their reason. */
function showLines(lines: readonly PlannedLine[], write: Write): void {
  const changing = lines.filter(({ change }) => change);
  if (changing.length > 0) {
    const columns = ["line", "host", "outcome", "people", "contacts", "posts"];
    const row = startTable(write, columns);
    for (const { line, name, outcome, known } of changing)
      row([
        ...[String(line), name, outcome, String(known?.people ?? 0)],
        ...[String(known?.contacts ?? 0), String(known?.posts ?? 0)],
      ]);
  }
  const others = Map.groupBy(
    lines.filter(({ change }) => !change),
    ({ outcome }) => outcome,
  );
  for (const [outcome, those] of others) write(`${outcome}: ${those.length}`);
}

async function listImports(lists: Lists, write: Write): Promise<void> {
  const row = startTable(write, ["number", "at", "by", "servers", "undone"]);
  for (const made of await lists.list({ offset: 0, limit: PAGE }))
    row([
      ...[String(made.id), made.createdAt, made.byName],
      ...[String(made.changes.length), made.undoneAt ?? ""],
    ]);
}

async function undo(lists: Lists, word: string, write: Write): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(word))
    throw new UsageError(`${word} is no number of an import.`);
  const { restored, left } = await refusing(() =>
    lists.undo(COMMAND_LINE, Number(word)),
  );
  write(`Done. ${restored.length} decisions were taken back.`);
  if (left.length > 0)
    write(`Decided otherwise since, and left alone: ${left.join(", ")}`);
}
