import type {
  Freed,
  FreedByRule,
  RuleName,
  Storage,
} from "../../../features/storage/index.ts";
import { inUnits } from "../../in-units.ts";
import { startTable } from "../../table.ts";
import { UsageError, type CommandOptions, type Write } from "../../usage.ts";

const USAGE =
  "kith storage [--days NUMBER] [--json], kith storage clean [--dry-run] [--json], kith storage compact [--dry-run|--full] [--json]";

const MAX_DAYS = 36_500;

/** `kith storage …` @throws {UsageError} */
export async function runStorageCommand(
  storage: Storage,
  words: readonly string[],
  options: CommandOptions,
  write: Write,
  progress: Write,
): Promise<void> {
  const [verb, ...more] = words;
  if (more.length > 0 || (verb !== undefined && verb !== "clean"))
    throw new UsageError(USAGE);
  const isClean = verb === "clean";
  const { days, dryRun = false, full = false } = options;
  if (full || (isClean ? days !== undefined : dryRun))
    throw new UsageError(USAGE);
  return isClean && !dryRun
    ? clean(storage, options, write, progress)
    : show(storage, readDays(days), options, write, progress);
}

function readDays(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const days = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS)
    throw new UsageError(`--days takes a number from 1 to ${MAX_DAYS}.`);
  return days;
}

async function show(
  storage: Storage,
  days: number | undefined,
  { json }: CommandOptions,
  write: Write,
  progress: Write,
): Promise<void> {
  const sizes = await storage.measure();
  const rules = storage.listRules(days);
  const freed = await storage.preview(days, {
    onProgress: sayProgress(progress),
  });
  const { database, uploads, remoteMedia } = sizes;
  const mediaBytes = Math.max(0, remoteMedia.bytes - remoteMedia.maxBytes);
  if (json)
    return write(
      JSON.stringify({
        sizes,
        rules: rules.map((rule) => ({ ...rule, frees: freed[rule.name] })),
        mediaBytes,
      }),
    );
  const row = startTable(write, ["kind", "size", "of which"]);
  const free = `${inUnits(database.freeBytes)} free for new rows`;
  row(["database", inUnits(database.bytes), free]);
  row(["uploads", inUnits(uploads.bytes), `${uploads.files} files`]);
  const limit = `${remoteMedia.files} files, at most ${inUnits(remoteMedia.maxBytes)}`;
  row(["remote media", inUnits(remoteMedia.bytes), limit]);
  write("");
  const rule = startTable(write, ["rule", "days", "would free"]);
  for (const { name, days: after } of rules)
    rule([
      WORDS[name],
      after === null ? "off" : String(after),
      after === null ? "-" : describe(name, freed[name]),
    ]);
  rule(["remote media over the limit", "-", inUnits(mediaBytes)]);
}

async function clean(
  storage: Storage,
  { json }: CommandOptions,
  write: Write,
  progress: Write,
): Promise<void> {
  const onProgress = sayProgress(progress);
  const { freed, mediaBytes } = await storage.clean({ onProgress });
  await storage.maintain();
  if (json) return write(JSON.stringify({ freed, mediaBytes }));
  const row = startTable(write, ["rule", "freed"]);
  for (const { name, days } of storage.listRules())
    row([WORDS[name], days === null ? "off" : describe(name, freed[name])]);
  row(["remote media over the limit", inUnits(mediaBytes)]);
}

const WORDS: Readonly<Record<RuleName, string>> = {
  notifications: "old notifications",
  "other-posts": "posts of people whom nobody here follows",
  "followed-posts": "posts of people whom somebody here follows",
  people: "people to whom nothing refers",
};

function sayProgress(progress: Write) {
  return (name: RuleName, freed: FreedByRule[RuleName]): void =>
    progress(`${WORDS[name]}: ${describe(name, freed)}`);
}

function describe(name: RuleName, freed: Freed): string {
  const size = `about ${inUnits(freed.bytes)}`;
  if (name === "notifications")
    return `${freed.notifications} notifications, ${size}`;
  return name === "people"
    ? `${freed.people} people, ${size}`
    : `${freed.posts} posts, ${freed.comments} comments, ${freed.reactions} likes and reactions, ${size}`;
}
