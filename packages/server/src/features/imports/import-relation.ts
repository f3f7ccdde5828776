import { KithError } from "../../lib/errors.ts";
import { normalHost } from "../../lib/host-name.ts";
import { parseHandle } from "../../lib/handle.ts";
import { parseTag } from "../../lib/markdown/tags.ts";
import type { AspectId } from "../ids.ts";
import type { Person } from "../people/index.ts";
import { MAX_FOLLOWED_TAGS } from "../streams/index.ts";
import type { ItemKind, ItemOf } from "./import-item.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "./import-run.ts";
import { findOwn } from "./import-writing.ts";
import { hasRoomFor } from "./records/room.ts";

type Relation = ItemOf<
  "block" | "bookmark" | "follow" | "host_block" | "ignore" | "tag"
>;

const RELATIONS: readonly ItemKind[] = [
  ...(["block", "bookmark", "follow"] as const),
  ...(["host_block", "ignore", "tag"] as const),
];

export const isRelation = (item: {
  readonly kind: ItemKind;
}): item is Relation => RELATIONS.includes(item.kind);

/** No account elsewhere has more lists. */
export const MAX_ASPECTS = 200;

/** Follows, blocks or ignores a person, follows a tag, blocks a server, or bookmarks a post. */
export async function importRelation(
  deps: ImportDeps,
  run: ImportRun,
  item: Relation,
): Promise<void> {
  run.outcomes.note(item.kind, await attempt(deps, run, item), item.name);
}

async function attempt(
  deps: ImportDeps,
  run: ImportRun,
  item: Relation,
): Promise<RecordOutcome> {
  if (hasTooManyPeople(run, item.kind)) return "too_many";
  try {
    if (item.kind === "host_block") return await blockHost(deps, run, item);
    if (item.kind === "bookmark") return await bookmark(deps, run, item);
    if (item.kind === "tag") return await followTag(deps, run, item);
    if (!parseHandle(item.handle)) return "malformed";
    const person = await findNamed(deps, run, item.handle);
    // A rehearsal asks no other server.
    if (!person) return run.isRehearsal ? "added" : "unknown_person";
    return item.kind === "follow"
      ? await follow(deps, run, item, person)
      : await keepAway(deps, run, item, person);
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    return error.code === "too_many_requests" ? "limited" : "refused";
  }
}

const OF_PEOPLE: readonly ItemKind[] = [
  ...(["follow", "block", "ignore", "person_note"] as const),
];

/** Each person may be asked for on another server. */
export function hasTooManyPeople(
  { limits, outcomes }: ImportRun,
  kind: ItemKind,
): boolean {
  if (!limits || !OF_PEOPLE.includes(kind)) return false;
  return outcomes.count(OF_PEOPLE) >= limits.maxPeople;
}

/** A rehearsal asks no other server. */
export const findNamed = (
  { people, findPerson }: ImportDeps,
  { isRehearsal }: ImportRun,
  handle: string,
): Promise<Person | undefined> =>
  isRehearsal ? people.find({ handle }) : findPerson(handle);

async function follow(
  { aspects }: ImportDeps,
  run: ImportRun,
  { aspect: name }: ItemOf<"follow">,
  { id }: Person,
): Promise<RecordOutcome> {
  const { user, isRehearsal } = run;
  if (id === user.personId) return "refused";
  const holding = await aspects.listHolding(user.userId, id);
  const isKnown =
    name === undefined
      ? holding.length > 0
      : holding.some((it) => it.name === name.trim());
  if (isKnown) return "known";
  if (isRehearsal) return "added";
  if (name === undefined) {
    await aspects.follow(user, id, DEFAULT_ASPECT, {
      isCounted: run.limits !== undefined,
    });
    return "added";
  }
  const aspectId = await findAspect(aspects, run, name.trim());
  if (aspectId === undefined) return "too_many";
  // The limit for new accounts is not for operators.
  await aspects.addPerson(user, aspectId, id, run.limits !== undefined);
  return "added";
}

/** The name of the first aspect, for a user who has none. */
const DEFAULT_ASPECT = "Contacts";

async function findAspect(
  aspects: ImportDeps["aspects"],
  run: ImportRun,
  name: string,
) {
  const known = await listOwnAspects(aspects, run);
  const found = known.get(name);
  if (found !== undefined || known.size >= MAX_ASPECTS) return found;
  const { id } = await aspects.create(run.user.userId, name);
  known.set(name, id);
  return id;
}

/** The aspects of the user, by their names. */
export async function listOwnAspects(
  aspects: ImportDeps["aspects"],
  run: ImportRun,
): Promise<Map<string, AspectId>> {
  return (run.aspects ??= new Map(
    (await aspects.list(run.user.userId)).map((it) => [it.name, it.id]),
  ));
}

async function keepAway(
  { blocks, clock }: ImportDeps,
  { user, isRehearsal }: ImportRun,
  { kind, endsAt }: ItemOf<"block" | "ignore">,
  { id }: Person,
): Promise<RecordOutcome> {
  if (id === user.personId) return "refused";
  if (endsAt !== undefined && Date.parse(endsAt) <= clock.now().getTime())
    return "past";
  const distance = (await blocks.listDistances(user.personId, [id]))(id);
  const isKnown =
    kind === "block" ? distance.isBlocked : distance.ignore !== undefined;
  if (isKnown) return "known";
  if (isRehearsal) return "added";
  await (kind === "block"
    ? blocks.block(user, id)
    : blocks.ignore(user, id, endsAt));
  return "added";
}

async function followTag(
  { streams }: ImportDeps,
  run: ImportRun,
  { tag: text }: ItemOf<"tag">,
): Promise<RecordOutcome> {
  const { userId } = run.user;
  const tag = parseTag(text);
  if (tag === undefined) return "malformed";
  if (await streams.isFollowingTag(userId, tag)) return "known";
  const all = { offset: 0, limit: MAX_FOLLOWED_TAGS };
  const count = async () =>
    (await streams.listFollowedTags(userId, all)).length;
  if (!(await hasRoomFor(run, "tag", MAX_FOLLOWED_TAGS, count)))
    return "too_many";
  if (!run.isRehearsal) await streams.followTag(userId, tag);
  return "added";
}

/** As many as a user may block. */
const ALL_HOSTS = { offset: 0, limit: 500 };

async function blockHost(
  { blocks }: ImportDeps,
  { user, isRehearsal }: ImportRun,
  { host: text }: ItemOf<"host_block">,
): Promise<RecordOutcome> {
  const host = normalHost(text);
  if (host === undefined) return "malformed";
  const known = await blocks.listHosts(user.personId, ALL_HOSTS);
  if (known.some((it) => it.host === host)) return "known";
  if (!isRehearsal) await blocks.blockHost(user, host);
  return "added";
}

async function bookmark(
  deps: ImportDeps,
  run: ImportRun,
  { post: key }: ItemOf<"bookmark">,
): Promise<RecordOutcome> {
  const { posts, bookmarks } = deps;
  const { user, isRehearsal } = run;
  const own = await findOwn(deps, run, "uri" in key ? key.uri : key.guid);
  const post =
    own?.kind === "post" ? own.post : await posts.findVisible(key, user);
  if (!post) return "unknown_post";
  const known = await bookmarks.listAmong(user.userId, [post.id]);
  if (known.has(post.id)) return "known";
  if (!isRehearsal) await bookmarks.add(user, post.id);
  return "added";
}
