import { listOf, textIn, type Json } from "../json.ts";
import { faultsOfPage, type PageWanted } from "./checks-posts.ts";
import { compareMore } from "../shown/more.ts";
import { brief, failing, holding, type Outcome } from "../outcome.ts";
import { authorOf, type Records } from "../shown/records.ts";
import { readRelations } from "../shown/relations.ts";
import { matchesText, plain } from "../shown/text-match.ts";
import {
  actorIdOf,
  CannotDo,
  isLocal,
  waitFor,
  type LocalName,
  type World,
} from "../world.ts";

type Follows = {
  readonly who: string;
  readonly whom: string;
  readonly state: "accepted" | "pending" | "none";
};

export async function follows(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const { who, whom, state } = value as Follows;
  const isListed = isLocal(who)
    ? await isInList(world, who, "following", whom)
    : await isFollower(world, who, whom);
  const what = `${who} follows ${whom}`;
  if (isListed !== (state === "accepted"))
    return failing(`${what} is ${isListed ? "listed" : "not listed"}`);
  if (state !== "pending") return holding(`${what}: ${state}`);
  if (!isLocal(who)) throw new CannotDo("aspects of somebody elsewhere");
  const person = await records.person(whom);
  const path = `/people/${String(person?.["ID"])}/aspects`;
  const aspects = await world.services[who].api("GET", path);
  return aspects.status === 200
    ? holding(`${what}: pending`)
    : failing(`${whom} is in no aspect of ${who}`);
}

async function isInList(
  world: World,
  owner: LocalName,
  direction: "followers" | "following",
  other: string,
): Promise<boolean> {
  const wanted = actorIdOf(world, other);
  const { items, totalItems } = await readRelations(world, owner, direction);
  return items?.includes(wanted) ?? totalItems > 0;
}

/** A collection with hidden items is tested by a post to followers. */
async function isFollower(
  world: World,
  who: string,
  whom: string,
): Promise<boolean> {
  if (!isLocal(whom)) throw new CannotDo(`${whom} is not here`);
  const { items } = await readRelations(world, whom, "followers");
  if (items) return items.includes(actorIdOf(world, who));
  const actor = world.network.findActor(who);
  const inboxes = [actor?.inbox, actor?.sharedInbox];
  const from = world.network.log.length;
  await world.services[whom].change("POST", "/posts", { post: "probe" });
  const arrived = await waitFor(
    () =>
      world.network.log.slice(from).find(({ url }) => inboxes.includes(url)),
    3_000,
  );
  return arrived !== undefined;
}

type WantedPerson = {
  readonly handle: string;
  readonly name?: unknown;
  readonly bio?: unknown;
  readonly searchable?: boolean;
  readonly image?: boolean;
  readonly page?: PageWanted;
  readonly more?: unknown;
};

export async function person(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = value as WantedPerson;
  const found = await records.person(wanted.handle);
  if (!found) return failing(`a search does not find ${wanted.handle}`);
  const path = `/people/${String(found["ID"])}/profile`;
  const profile = (await world.services.alice.find(path)) ?? {};
  const differs = faultsOfProfile(profile, wanted);
  const page = `/people/${String(found["Guid"])}`;
  if (wanted.page)
    differs.push(...(await faultsOfPage(world, page, wanted.page)));
  const more = await compareMore(world, "person", found, wanted.more);
  differs.push(...more.differs);
  const name = plain(String(profile["FullName"]));
  const shown = `${String(found["Author"])} "${name}"`;
  return differs.length > 0
    ? failing(`person ${shown}: ${differs.join(", ")}`)
    : holding(`person ${shown}`, more.skipped);
}

function faultsOfProfile(profile: Json, wanted: WantedPerson): string[] {
  const faults: string[] = [];
  for (const [name, text] of [
    ["FullName", wanted.name],
    ["Bio", wanted.bio],
  ] as const)
    if (!matchesText(String(profile[name]), text))
      faults.push(`${name} is ${brief(String(profile[name]))}`);
  const { searchable, image } = wanted;
  if (searchable !== undefined && profile["Searchable"] !== searchable)
    faults.push(`Searchable is ${String(profile["Searchable"])}`);
  const hasImage = (textIn(profile, "ImageUrl") ?? "") !== "";
  if (image !== undefined && hasImage !== image)
    faults.push(`ImageUrl is ${String(profile["ImageUrl"])}`);
  return faults;
}

export async function noPerson(world: World, value: unknown): Promise<Outcome> {
  const handle = String(value);
  const form = { handle };
  const answer = await world.services.alice.api("POST", "/search", form);
  const evidence = `a search for ${handle} answers ${answer.status}`;
  return answer.status === 404 ? holding(evidence) : failing(evidence);
}

type WantedNotification = {
  readonly to: LocalName;
  readonly kind?: unknown;
  readonly from?: string;
};

export async function notification(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = value as WantedNotification;
  const all = await listNew(world, records, wanted.to);
  const found = all.filter((one) => isWanted(records, one, wanted));
  return found.length > 0
    ? holding(`notification ${describe(found)}`)
    : failing(`${wanted.to} was notified of: ${describe(all)}`);
}

export async function noNotification(
  world: World,
  records: Records,
  value: unknown,
): Promise<Outcome> {
  const wanted = value as WantedNotification;
  const all = await listNew(world, records, wanted.to);
  const found = all.filter((one) => isWanted(records, one, wanted));
  return found.length === 0
    ? holding("no notification")
    : failing(`${wanted.to} was notified of: ${describe(found)}`);
}

async function listNew(
  world: World,
  records: Records,
  to: LocalName,
): Promise<Json[]> {
  const newest = world.newestNotification.get(to) ?? 0;
  const all = await records.list(to, "/notifications");
  return all.filter(({ ID }) => Number(ID) > newest);
}

function isWanted(
  records: Records,
  one: Json,
  { kind, from }: WantedNotification,
): boolean {
  const isKind =
    kind === undefined || listOf(kind).includes(one["ShareableType"]);
  return isKind && records.isBy(one, from);
}

function describe(list: readonly Json[]): string {
  const lines = list.map(
    (one) => `${String(one["ShareableType"])} from ${authorOf(one) ?? "?"}`,
  );
  return brief(lines.join(", ") || "nothing", 300);
}
