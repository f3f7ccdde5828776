import type { Moderation } from "../../../features/moderation/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { inOneLine } from "../../in-one-line.ts";
import { startTable } from "../../table.ts";
import { UsageError, type Write } from "../../usage.ts";

const AT_ONCE = 500;
const COLUMNS = [
  ...["number", "when", "server", "about", "says", "posts", "state"],
] as const;

/** `kith reports …` @throws {UsageError} */
export async function runReportsCommand(
  moderation: Moderation,
  words: readonly string[],
  write: Write,
): Promise<void> {
  const [verb, number, ...more] = words;
  if (verb === "list" && number === undefined) return list(moderation, write);
  if (verb === "show" && more.length === 0)
    return show(moderation, readNumber(number), write);
  if (verb === "resolve") {
    const id = readNumber(number);
    const resolution = more.join(" ").trim();
    if (resolution === "")
      throw new UsageError(
        "The words are missing: kith reports resolve NUMBER WORDS",
      );
    return resolve(moderation, id, resolution, write);
  }
  throw new UsageError("kith reports list|show NUMBER|resolve NUMBER WORDS");
}

function readNumber(text: string | undefined): number {
  if (text === undefined) throw new UsageError("The number is missing.");
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new UsageError(`${inOneLine(text)} is not the number of a report.`);
  return Number(text);
}

async function list(moderation: Moderation, write: Write): Promise<void> {
  const row = startTable(write, COLUMNS);
  let after = 0;
  for (;;) {
    const page = await moderation.listReports(after, AT_ONCE);
    for (const report of page) {
      const { id, createdAt, host, handle, text, objects } = report;
      const about = handle ?? "nobody known";
      const what =
        objects.length > 0 || report.targetGuid === null
          ? objects.join(" ")
          : `${report.targetKind} ${report.targetGuid}`;
      const state = report.resolvedAt === null ? "open" : "closed";
      row([id, createdAt, host, about, text, what, state]);
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function show(
  moderation: Moderation,
  id: number,
  write: Write,
): Promise<void> {
  const found = await moderation.find(id);
  if (!found) throw new UsageError(`There is no report ${id}.`);
  const { report, notes } = found;
  const fields: readonly (readonly [string, string | null])[] = [
    ["Reported", report.createdAt],
    ["From", report.host],
    ["Kind", report.category],
    ["About", `${report.targetKind} ${report.targetGuid ?? ""}`],
    ["Names", report.objects.join(" ") || null],
    ["Says", report.text],
    ["Text", report.evidence],
    ["Told its server", report.forwarded ? "yes" : "no"],
    ["Taken by", report.assignee],
    ["Closed by", report.resolver],
    ["What was done", report.resolution],
  ];
  for (const [name, value] of fields)
    if (value !== null) write(inOneLine(`${name}: ${value}`));
  for (const note of notes)
    write(inOneLine(`Note by ${note.author}: ${note.text}`));
}

async function resolve(
  moderation: Moderation,
  id: number,
  resolution: string,
  write: Write,
): Promise<void> {
  // A closed report keeps its resolution: "Done." would be untrue.
  const found = await moderation.find(id);
  if (found && found.report.resolvedAt !== null)
    throw new UsageError(`The report ${id} is closed already.`);
  try {
    await moderation.resolve(null, id, resolution);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    throw new UsageError(error.message);
  }
  write("Done.");
}
