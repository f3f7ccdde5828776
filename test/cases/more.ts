import { idOf, isRecord, listOf, textIn, type Json } from "./json.ts";
import { matchesText } from "./text-match.ts";
import { fillInAll, type World } from "./world.ts";

/** What came of the fields below `more`. */
export type MoreOutcome = {
  /** What differs, in words. */
  readonly differs: readonly string[];
  /** What no interface of the server shows. */
  readonly skipped: readonly string[];
};

type Compare = (shown: Json, wanted: unknown) => boolean;

/** Where each field stands in the records of the Mastodon client interface. */
const FIELDS: Readonly<Record<string, Compare>> = {
  language: (shown, wanted) => shown["language"] === wanted,
  warning: (shown, wanted) => shown["spoiler_text"] === wanted,
  sensitive: (shown, wanted) => shown["sensitive"] === wanted,
  edited: (shown, wanted) => isSameTime(shown["edited_at"], wanted),
  pinned: (shown, wanted) => (shown["pinned"] ?? false) === wanted,
  emojis: (shown, wanted) => isSameSet(names(shown["emojis"]), listOf(wanted)),
  card: (shown, wanted) => textIn(shown["card"], "url") === wanted,
  media: (shown, wanted) => isSameMedia(shown["media_attachments"], wanted),
  quotes: (shown, wanted) => quoted(shown["quote"]) === wanted,
  voters: (shown, wanted) =>
    isRecord(shown["poll"]) && shown["poll"]["voters_count"] === wanted,
  locked: (shown, wanted) => shown["locked"] === wanted,
  fields: (shown, wanted) => hasFields(shown["fields"], wanted),
  header: (shown, wanted) =>
    (textIn(shown, "header") ?? "").includes("missing") !== wanted &&
    (textIn(shown, "header") ?? "") !== "",
  moved: (shown, wanted) =>
    textIn(shown["moved"], "uri") === wanted ||
    textIn(shown["moved"], "url") === wanted,
  indexable: (shown, wanted) => shown["indexable"] === wanted,
};

/**
 * Compares what the service API does not show with the Mastodon client
 * interface, as far as the server has it.
 */
export async function compareMore(
  world: World,
  kind: "statuses" | "accounts",
  record: Json,
  more: unknown,
): Promise<MoreOutcome> {
  const wanted = Object.entries(fillInAll(world, Object(more) as Json));
  if (wanted.length === 0) return { differs: [], skipped: [] };
  const shown = await readShown(world, kind, record);
  if (!shown) return { differs: [], skipped: wanted.map(([name]) => name) };
  const differs: string[] = [];
  const skipped: string[] = [];
  for (const [name, one] of wanted) {
    const compare = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (!compare) skipped.push(name);
    else if (!compare(shown, one)) differs.push(`more.${name} differs`);
  }
  return { differs, skipped };
}

async function readShown(
  world: World,
  kind: string,
  record: Json,
): Promise<Json | undefined> {
  const { caller, token = "" } = world.services.alice;
  const answer = await caller.call({
    method: "GET",
    path: `/api/v1/${kind}/${String(record["ID"])}`,
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 200) return undefined;
  return JSON.parse(answer.text) as Json;
}

function isSameTime(shown: unknown, wanted: unknown): boolean {
  if (wanted === null || shown === null || shown === undefined)
    return (shown ?? null) === wanted;
  return (
    typeof shown === "string" &&
    typeof wanted === "string" &&
    Date.parse(shown) === Date.parse(wanted)
  );
}

function names(emojis: unknown): string[] {
  return listOf(emojis).map((one) => textIn(one, "shortcode") ?? "");
}

function isSameSet(shown: readonly unknown[], wanted: readonly unknown[]) {
  return (
    shown.length === wanted.length && wanted.every((one) => shown.includes(one))
  );
}

function quoted(quote: unknown): string | undefined {
  const status = isRecord(quote) ? (quote["quoted_status"] ?? quote) : quote;
  return textIn(status, "uri") ?? idOf(status);
}

function isSameMedia(shown: unknown, wanted: unknown): boolean {
  const list = listOf(shown);
  return listOf(wanted).every((one, index) => {
    const { description, focus } = one as Json;
    const seen = list[index];
    if (
      description !== undefined &&
      textIn(seen, "description") !== description
    )
      return false;
    if (focus === undefined) return true;
    const meta = isRecord(seen) ? seen["meta"] : undefined;
    const at = isRecord(meta) ? meta["focus"] : undefined;
    const [x, y] = listOf(focus);
    return isRecord(at) && at["x"] === x && at["y"] === y;
  });
}

function hasFields(shown: unknown, wanted: unknown): boolean {
  return listOf(wanted).every((one) => {
    const { name, value } = one as Json;
    return listOf(shown).some(
      (field) =>
        matchesText(textIn(field, "name") ?? "", name) &&
        matchesText(textIn(field, "value") ?? "", value),
    );
  });
}
