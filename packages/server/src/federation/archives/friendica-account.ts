import {
  asObject,
  asText,
  readLists,
  type Json,
} from "../../lib/archives/read-json.ts";
import type { ImportItem, Source } from "../../features/imports/index.ts";
import type { JsonFile } from "./json-file.ts";
import { readItem } from "./friendica-item.ts";
import { idIn, isOn } from "./friendica-values.ts";
import { handleOfProfile } from "./profile-handle.ts";

const HEAD =
  /^\uFEFF?\s*\{\s*"version"\s*:\s*"[^"]*"\s*,\s*"schema"\s*:\s*\d+\s*,\s*"baseurl"\s*:/;

/** Friendica's `contact.rel`: they share with the owner, or both with each other. */
const FOLLOWED = new Set(["2", "3"]);
const MAX_CIRCLES = 1_000;

/**
 * The account that Friendica gives its people: contacts, and circles with their members; and
 * the backup (“Export all”), in which posts follow in further lines. Who is blocked is in
 * neither: `blocked` is a decision of the server.
 * @returns undefined for another file
 * @see Friendica, `src/Module/Settings/UserExport.php`
 */
export function openFriendicaAccount({
  head,
  file,
}: JsonFile): Source | undefined {
  if (!HEAD.test(head)) return undefined;
  return { items: () => readItems(file), fileOf: () => undefined };
}

async function* readItems(
  file: string,
): AsyncGenerator<ImportItem, void, undefined> {
  const circles = await readCircles(file);
  let owner = "";
  // The account is in the first line, and the posts are in the others.
  for await (const { list, value } of readLists(file, LISTS, [], true)) {
    const record = asObject(value);
    if (list === "item") yield* readItem(record, owner, "post");
    else if (isOn(record["self"])) owner = asText(record["url"]);
    else yield* readContact(record, circles);
  }
  // A comment comes after its post, and a like after both, which may be in later lines.
  for (const wanted of ["comment", "activity"] as const)
    for await (const { list, value } of readLists(file, LISTS, [], true))
      if (list === "item") yield* readItem(asObject(value), owner, wanted);
}

const LISTS = ["contact", "item"];

/** The names of the circles by the ids of their members; a circle was called a group before. */
async function readCircles(
  file: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, string>();
  const members: (readonly [contact: string, circle: string])[] = [];
  const lists = ["circle", "circle_member", "group", "group_member"];
  const all = [...lists, ...LISTS];
  for await (const { list, value } of readLists(file, all, [], true)) {
    if (!lists.includes(list)) continue;
    const record = asObject(value);
    if (list.endsWith("_member"))
      members.push([idIn(record, "contact-id"), idIn(record, "gid")]);
    else if (names.size < MAX_CIRCLES && !isOn(record["deleted"]))
      names.set(idIn(record, "id"), asText(record["name"]));
  }
  const found = new Map<string, string[]>();
  for (const [contact, circle] of members) {
    const name = names.get(circle);
    if (name !== undefined)
      found.set(contact, [...(found.get(contact) ?? []), name]);
  }
  return found;
}

function* readContact(
  contact: Json,
  circles: ReadonlyMap<string, readonly string[]>,
): Generator<ImportItem, void, undefined> {
  if (isOn(contact["deleted"])) return;
  const url = asText(contact["url"]);
  const handle = asText(contact["addr"]) || handleOfProfile(url);
  const record = { name: handle || url, handle } as const;
  if (!FOLLOWED.has(idIn(contact, "rel"))) return;
  const names = circles.get(idIn(contact, "id")) ?? [];
  if (names.length === 0) yield { kind: "follow", ...record };
  for (const aspect of names) yield { kind: "follow", ...record, aspect };
}
