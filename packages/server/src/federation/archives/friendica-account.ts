import {
  asObject,
  asText,
  readLists,
  type Json,
} from "../../lib/archives/read-json.ts";
import type { ImportItem, Source } from "../../features/imports/index.ts";
import type { JsonFile } from "./json-file.ts";
import { handleOfProfile } from "./profile-handle.ts";

const HEAD =
  /^\uFEFF?\s*\{\s*"version"\s*:\s*"[^"]*"\s*,\s*"schema"\s*:\s*\d+\s*,\s*"baseurl"\s*:/;

/** Friendica's `contact.rel`: they share with the owner, or both with each other. */
const FOLLOWED = new Set(["2", "3"]);
const MAX_CIRCLES = 1_000;

/**
 * The account that Friendica gives its people: contacts, and circles with their members. Its
 * posts are in another file, in BBCode. Who is blocked is in neither: `blocked` is a decision
 * of the server.
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
  for await (const { value } of readLists(file, ["contact"]))
    yield* readContact(asObject(value), circles);
}

/** The names of the circles by the ids of their members; a circle was called a group before. */
async function readCircles(
  file: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const names = new Map<string, string>();
  const members: (readonly [contact: string, circle: string])[] = [];
  const lists = ["circle", "circle_member", "group", "group_member"];
  for await (const { list, value } of readLists(file, lists)) {
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
  if (isOn(contact["self"]) || isOn(contact["deleted"])) return;
  const url = asText(contact["url"]);
  const handle = asText(contact["addr"]) || handleOfProfile(url);
  const record = { name: handle || url, handle } as const;
  if (!FOLLOWED.has(idIn(contact, "rel"))) return;
  const names = circles.get(idIn(contact, "id")) ?? [];
  if (names.length === 0) yield { kind: "follow", ...record };
  for (const aspect of names) yield { kind: "follow", ...record, aspect };
}

/** Numbers are numbers or texts, as the database gave them. */
function idIn(record: Json, name: string): string {
  const value = record[name];
  return typeof value === "number" ? String(value) : asText(value);
}

const isOn = (value: unknown): boolean =>
  value === 1 || value === "1" || value === true;
