import { isRecord, listOf, memberOf, textIn, type Json } from "../json.ts";
import { readFromClientInterface, readOwn } from "./more-shown.ts";
import { matchesText } from "./text-match.ts";
import { fillInAll, type World } from "../world.ts";

/** What has fields below `more`. */
export type Kind = "post" | "comment" | "person" | "event";

/** What came of the fields below `more`. */
export type MoreOutcome = {
  /** What differs, in words. */
  readonly differs: readonly string[];
  /** What no interface of the server shows. */
  readonly skipped: readonly string[];
};

/** Of two values that are not simply the same. */
const COMPARE: Readonly<
  Record<string, (shown: unknown, wanted: unknown) => boolean>
> = {
  edited: isSameTime,
  emojis: isSameSet,
  categories: isSameSet,
  quotes: (shown, wanted) => listOf(shown).includes(wanted),
  fields: hasFields,
  media: isSame,
  focus: isSame,
  geo: isSame,
};

/**
 * Compares what stands in no field of the records with whatever shows it: the
 * Mastodon client interface, where the server has it, else the rest of what it has.
 */
export async function compareMore(
  world: World,
  kind: Kind,
  record: Json,
  more: unknown,
): Promise<MoreOutcome> {
  const wanted = apart(fillInAll(world, Object(more) as Json));
  if (wanted.size === 0) return { differs: [], skipped: [] };
  const shown = await readFromClientInterface(world, kind, record);
  const differs: string[] = [];
  const skipped: string[] = [];
  for (const [name, one] of wanted) {
    const seen = shown[name] ?? (await readOwn(world, kind, record, name));
    const compare = COMPARE[name] ?? Object.is;
    if (seen === undefined) skipped.push(name);
    else if (!compare(seen, one))
      differs.push(`more.${name} is ${JSON.stringify(seen)}`);
  }
  return { differs, skipped };
}

/** Of pictures the words and the point in the middle are two things. */
function apart({ media, ...others }: Json): Map<string, unknown> {
  const wanted = new Map(Object.entries(others));
  const part = (name: string) =>
    listOf(media).map((one) => memberOf(one, name));
  for (const [name, list] of [
    ["media", part("description")],
    ["focus", part("focus")],
  ] as const)
    if (list.some((one) => one !== undefined)) wanted.set(name, list);
  return wanted;
}

/** What is not asked for, in a list, may be anything. */
function isSame(shown: unknown, wanted: unknown): boolean {
  if (!Array.isArray(wanted)) return wanted === undefined || shown === wanted;
  const list = listOf(shown);
  return wanted.every((one, index) => isSame(list[index], one));
}

function isSameTime(shown: unknown, wanted: unknown): boolean {
  if (typeof shown !== "string" || typeof wanted !== "string")
    return shown === wanted;
  return Date.parse(shown) === Date.parse(wanted);
}

function isSameSet(shown: unknown, wanted: unknown): boolean {
  const [seen, named] = [listOf(shown), listOf(wanted)];
  return (
    seen.length === named.length && named.every((one) => seen.includes(one))
  );
}

/** All of them, in their order. */
function hasFields(shown: unknown, wanted: unknown): boolean {
  const [seen, named] = [listOf(shown), listOf(wanted)];
  return (
    seen.length === named.length &&
    named.every((one, at) => {
      const { name, value } = isRecord(one) ? one : {};
      return (
        matchesText(textIn(seen[at], "name") ?? "", name) &&
        matchesText(textIn(seen[at], "value") ?? "", value)
      );
    })
  );
}
