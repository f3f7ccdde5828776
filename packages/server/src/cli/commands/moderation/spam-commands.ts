import {
  SPAM_ACTIONS,
  type ShownHit,
  type SpamRule,
  type SpamRules,
} from "../../../features/spam-rules/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { inOptions } from "../../in-options.ts";
import { startTable } from "../../table.ts";
import { UsageError, type CommandOptions, type Write } from "../../usage.ts";

const USAGE =
  "kith spam list, kith spam set NAME --action note|report|hold|refuse [--phrase TEXT] [--link-host HOST] [--mentions NUMBER] [--known-days DAYS] [--strangers yes|no] [--on yes|no], kith spam try NUMBER [--days DAYS], kith spam on|off|delete NUMBER, kith spam log";

const PAGE = 500;
const DEFAULT_DAYS = "7";

/** An operator at the command line has no account. */
const COMMAND_LINE = null;

const OF_SET = [
  ...(["phrase", "link-host", "mentions", "known-days"] as const),
  ...(["strangers", "action", "on"] as const),
] as const;

/** `kith spam …` @throws {UsageError} */
export async function runSpamCommand(
  rules: SpamRules,
  words: readonly string[],
  options: CommandOptions,
  write: Write,
): Promise<void> {
  const [verb = "", word, ...more] = words;
  const isSet = verb === "set";
  if (
    more.length > 0 ||
    (verb !== "try" && options.days !== undefined) ||
    options.message !== undefined ||
    (!isSet && OF_SET.some((name) => options[name] !== undefined))
  )
    throw new UsageError(USAGE);
  if (word === undefined) {
    if (verb === "list") return listRules(rules, write);
    if (verb === "log") return listHits(rules, write);
    throw new UsageError(USAGE);
  }
  if (isSet) return setRule(rules, word, options, write);
  switch (verb) {
    case "try":
      return rehearse(rules, readId(word), options.days, write);
    case "on":
    case "off":
      await refusing(() =>
        rules.switch(COMMAND_LINE, readId(word), verb === "on"),
      );
      return write("Done.");
    case "delete":
      await refusing(() => rules.delete(COMMAND_LINE, readId(word)));
      return write("Done.");
    default:
      throw new UsageError(USAGE);
  }
}

async function setRule(
  rules: SpamRules,
  name: string,
  options: CommandOptions,
  write: Write,
): Promise<void> {
  const action = SPAM_ACTIONS.find((it) => it === options.action);
  if (action === undefined) throw new UsageError(USAGE);
  const rule = await refusing(() =>
    rules.set(COMMAND_LINE, {
      ...{ name, action, phrase: options.phrase },
      linkHost: options["link-host"],
      mentions: readNumber(options.mentions),
      knownDays: readNumber(options["known-days"]),
      noContact: readYes(options.strangers),
      isOn: readYes(options.on),
    }),
  );
  write(
    rule.isOn
      ? `Done. kith spam off ${rule.id} switches it off.`
      : `Done. kith spam try ${rule.id} shows what it would have hit, kith spam on ${rule.id} switches it on.`,
  );
}

async function rehearse(
  rules: SpamRules,
  id: number,
  typed: string = DEFAULT_DAYS,
  write: Write,
): Promise<void> {
  const days = readNumber(typed) ?? 0;
  const found = await refusing(() => rules.rehearse(id, days));
  const count = `${found.read} posts and comments of the last ${days} days`;
  write(`It would have hit ${found.hits.length} of ${count}.`);
  if (!found.isWhole)
    write("There may be more: only the newest were read or listed.");
  if (found.hits.length === 0) return;
  const row = startTable(write, COLUMNS);
  for (const hit of found.hits) row(cellsOf(hit));
}

const COLUMNS = ["at", "author", "kind", "address or Guid"];

const cellsOf = (
  hit: Pick<ShownHit, "at" | "handle" | "kind" | "thing">,
): string[] => [hit.at, hit.handle, hit.kind, hit.thing];

async function listRules(rules: SpamRules, write: Write): Promise<void> {
  const columns = ["number", "state", "action", "name", "conditions"];
  const row = startTable(write, columns);
  for (const rule of await rules.list())
    row([
      String(rule.id),
      rule.isOn ? "on" : "off",
      ...[rule.action, rule.name, describe(rule)],
    ]);
}

/** In the options by which it was made. */
function describe({ conditions }: SpamRule): string {
  const { phrase, linkHost, mentions, knownDays, noContact } = conditions;
  return [
    ...(phrase === null ? [] : [`--phrase ${JSON.stringify(phrase)}`]),
    ...(linkHost === null ? [] : [`--link-host ${linkHost}`]),
    ...(mentions === null ? [] : [`--mentions ${mentions}`]),
    ...(knownDays === null ? [] : [`--known-days ${knownDays}`]),
    ...(noContact ? ["--strangers yes"] : []),
  ].join(" ");
}

async function listHits(rules: SpamRules, write: Write): Promise<void> {
  const row = startTable(write, ["rule", "action", ...COLUMNS]);
  let before: number | undefined;
  for (;;) {
    const some = await rules.listHits({ offset: 0, limit: PAGE, before });
    for (const hit of some) row([hit.rule, hit.action, ...cellsOf(hit)]);
    if (some.length < PAGE) return;
    before = some.at(-1)?.id;
  }
}

function readId(word: string): number {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word);
  throw new UsageError(`${word} is no number of a rule.`);
}

function readNumber(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw new UsageError(`${word} is no number.`);
}

function readYes(word: string | undefined): boolean | undefined {
  if (word === undefined) return undefined;
  if (word === "yes" || word === "no") return word === "yes";
  throw new UsageError(`${word} is neither yes nor no.`);
}

/** A fault of the rule or the number is one of the words. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KithError)
      throw new UsageError(inOptions(error.message, { name: "The name" }));
    throw error;
  }
}
