import { isRecord, listOf, memberOf, textIn, type Json } from "../json.ts";
import { readFromClientInterface, readOwn } from "./more-shown.ts";
import { matchesText } from "./text-match.ts";
import { fillInAll, type World } from "../world.ts";

/** The objects with fields below `more`. */
export type Kind = "post" | "comment" | "person" | "event";

/** The results for the fields below `more`. */
export type MoreOutcome = {
  /** The deviation, in words. */
  readonly differs: readonly string[];
  /** Fields that no interface of the server shows. */
  readonly skipped: readonly string[];
};

/** Compares two values that are not simply equal. */
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
 * Compares fields that are not in the records with the interfaces that show them: the
 * Mastodon client API, if the server has it, else its other interfaces.
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

/** The description and the focal point of an image are separate fields. */
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

/** Unspecified entries of a list may be anything. */
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
