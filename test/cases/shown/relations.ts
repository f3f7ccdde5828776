import {
  idOf,
  isRecord,
  listOf,
  parseOrNothing,
  textIn,
  type Json,
} from "../json.ts";
import { localActor, type LocalName, type World } from "../world.ts";

/** A list of followers or followed people, as its owner reads it. */
export type Relations = {
  readonly totalItems: number;
  /** Actor ids; undefined if the collection hides them. */
  readonly items: readonly string[] | undefined;
};

const MAX_PAGES = 50;

/** Reads GET following or followers of a local user, with the owner's token. */
export async function readRelations(
  world: World,
  owner: LocalName,
  direction: "followers" | "following",
): Promise<Relations> {
  const id = `${localActor(world, owner)}/${direction}`;
  const collection = await read(world, owner, id);
  const totalItems = Number(collection["totalItems"] ?? 0);
  const items: string[] = itemsOf(collection);
  let next = collection["first"];
  const isHidden = next === undefined && items.length === 0 && totalItems > 0;
  for (let pages = 0; next !== undefined && pages < MAX_PAGES; pages += 1) {
    const page: Json = isRecord(next)
      ? next
      : await read(world, owner, idOf(next) ?? "");
    items.push(...itemsOf(page));
    next = page["next"];
  }
  return { totalItems, items: isHidden ? undefined : items };
}

function itemsOf(page: Json): string[] {
  return listOf(page["orderedItems"] ?? page["items"]).flatMap((item) => {
    const id = typeof item === "string" ? item : textIn(item, "id");
    return id === undefined ? [] : [id];
  });
}

async function read(
  world: World,
  owner: LocalName,
  url: string,
): Promise<Json> {
  const { caller, token } = world.services[owner];
  const { pathname, search } = new URL(url);
  const headers = {
    accept: "application/activity+json",
    ...(token === undefined ? {} : { access_token: token }),
  };
  const path = pathname + search;
  const answer = await caller.call({ method: "GET", path, headers });
  const document = parseOrNothing(answer.text);
  if (answer.status !== 200 || !isRecord(document))
    throw new Error(`${path} answered ${answer.status}`);
  return document;
}
