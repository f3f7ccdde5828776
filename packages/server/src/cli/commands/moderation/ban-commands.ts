import {
  BAN_KINDS,
  BAN_SEVERITIES,
  type BanKind,
  type Bans,
} from "../../../features/bans/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { inOptions } from "../../in-options.ts";
import { startTable } from "../../table.ts";
import { UsageError, type CommandOptions, type Write } from "../../usage.ts";

const KINDS: Readonly<Record<string, BanKind>> = {
  domain: "mail_domain",
  address: "mail_address",
  network: "network",
};

const USAGE =
  "kith bans list, kith bans domain|address|network VALUE [approval|no-sign-ups|no-access] [--days NUMBER] [--reason TEXT], kith bans lift NUMBER";

const DAY_MS = 86_400_000;
const PAGE = 500;

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

/** `kith bans …` @throws {UsageError} */
export async function runBansCommand(
  bans: Bans,
  words: readonly string[],
  options: CommandOptions,
  write: Write,
): Promise<void> {
  const [verb = "", word, ...more] = words;
  const isPlain =
    options.reason === undefined && options.days === undefined && !more.length;
  if (verb === "list" && word === undefined && isPlain)
    return list(bans, write);
  if (word === undefined) throw new UsageError(USAGE);
  if (verb === "lift" && isPlain) return lift(bans, word, write);
  const kind = Object.hasOwn(KINDS, verb) ? KINDS[verb] : undefined;
  if (kind === undefined || more.length > 1) throw new UsageError(USAGE);
  const [named = "no-sign-ups"] = more;
  const severity = BAN_SEVERITIES.find(
    (it) => it.replaceAll("_", "-") === named,
  );
  if (severity === undefined) throw new UsageError(USAGE);
  const forMs = readDays(options.days);
  const comment = options.reason;
  const ban = await refusing(
    () =>
      bans.set(COMMAND_LINE, { kind, value: word, severity, comment, forMs }),
    { value: `The ${verb}`, comment: "--reason" },
  );
  write(`Done. kith bans lift ${ban.id} takes it back.`);
}

function readDays(days: string | undefined): number | undefined {
  if (days === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(days))
    throw new UsageError(`${days} is no number of days.`);
  return Number(days) * DAY_MS;
}

/** A fault of the value or the number is one of the words. */
async function refusing<T>(
  work: () => Promise<T>,
  names?: Readonly<Record<string, string>>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KithError)
      throw new UsageError(inOptions(error.message, names));
    throw error;
  }
}

async function list(bans: Bans, write: Write): Promise<void> {
  const columns = ["number", "kind", "value", "severity", "until", "reason"];
  const row = startTable(write, columns);
  let before: number | undefined;
  for (;;) {
    const page = { offset: 0, limit: PAGE, before };
    const some = await bans.list(BAN_KINDS, page);
    for (const { id, kind, value, severity, expiresAt, comment } of some)
      row([String(id), kind, value, severity, expiresAt ?? "", comment]);
    if (some.length < PAGE) return;
    before = some.at(-1)?.id;
  }
}

async function lift(bans: Bans, word: string, write: Write): Promise<void> {
  if (!/^[1-9]\d{0,14}$/.test(word))
    throw new UsageError(`${word} is no number of a ban.`);
  await refusing(() => bans.lift(COMMAND_LINE, Number(word)));
  write("Done.");
}
