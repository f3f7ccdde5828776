import type { InjectOptions } from "fastify";
import type {
  Named,
  Row,
} from "../../../packages/server/test/mastodon/rows.ts";
import type { Random } from "../../support/random.ts";
import { encodeCall, type Draft } from "./encode-call.ts";
import {
  HOSTILE_PARTS,
  HOSTILE_VALUES,
  KNOWN,
  usualValue,
} from "./hostile-values.ts";
import type { Caller, MastodonWorld, Owner } from "./mastodon-world.ts";
import type { Readers } from "./secrets.ts";

/** A route, with what the table of calls says about it. */
export type Target = Pick<Row, "method" | "path"> &
  Partial<Pick<Row, "body" | "query" | "id" | "below" | "name">>;

export type MastodonCall = {
  readonly target: Target;
  readonly caller: Caller;
  readonly request: InjectOptions;
  /** Who may read what it publishes, if that is a private message. */
  readonly readers: Readers | undefined;
  /** The people whom its path and body name. */
  readonly named: readonly Owner[];
};

const KIND_OF: Readonly<Record<Named, string>> = {
  ...{ me: "Account", other: "Account", asker: "Asker", followed: "Account" },
  ...{
    status: "Status",
    mine: "Status",
    quoting: "Quoting",
    private: "Status",
  },
  ...{ media: "MediaAttachment", poll: "Poll", list: "List", group: "Group" },
  ...{ notice: "Notification", filter: "Filter", keyword: "FilterKeyword" },
  ...{ filtered: "FilterStatus", talk: "Conversation" },
  ...{ scheduled: "ScheduledStatus", announcement: "Announcement", later: "" },
};

/** One call of a route, well meant or not. */
export function makeMastodonCall(
  target: Target,
  world: MastodonWorld,
  random: Random,
): MastodonCall {
  const isForModerators = target.path.includes("/admin/");
  const isSignUp = `${target.method} ${target.path}` === "POST /v1/accounts";
  const caller =
    isSignUp && random.isLikely(0.8)
      ? world.appCaller
      : world.chooseCaller(isForModerators, random);
  const { owner } = caller;
  const named = new Set<Owner>();
  const fill = (name: string) => {
    const id = nameOne(name, world, owner, random);
    const person = world.personOf(id);
    if (person) named.add(person);
    return id;
  };
  const draft: Draft = {
    method: target.method,
    path: fillPath(target, fill, random),
    query: readQuery(target, fill),
    body: target.body && fillAll(target.body, fill),
    token: caller.token,
    file: target.path.endsWith("/media") ? "file" : undefined,
  };
  const readers = addSecret(target, draft, world, owner, random);
  const isPrivate = readers !== undefined;
  if (isPrivate ? random.isLikely(0.2) : random.isLikely(0.6))
    disturb(draft, isPrivate, world, owner, random);
  const request = encodeCall(draft, isPrivate, random);
  const message = readers === "text" ? undefined : readers;
  return { target, caller, request, readers: message, named: [...named] };
}

function nameOne(
  name: string,
  world: MastodonWorld,
  owner: Owner,
  random: Random,
): string {
  if (name === "me") return String(owner.person.record.ID);
  if (name === "acct") return random.pick(world.people).person.username;
  if (name === "later") return world.later;
  if (name === "fresh") return `fresh${random.below(1e9)}`;
  const kind = KIND_OF[name as Named] ?? name;
  return world.findId(kind, owner, random) ?? "1";
}

/** Routes without a row name records by the resource in their path. */
const KIND_OF_RESOURCE: Readonly<Record<string, string>> = {
  accounts: "Account",
  follow_requests: "Asker",
  notifications: "Notification",
  filters: "FilterKeyword",
  featured_tags: "FeaturedTag",
};

/** The last resource in a path, such as `ip_blocks`. */
export const resourceOf = (path: string): string =>
  /\/([a-z_]+)(?:\/:id.*)?$/.exec(path)?.[1] ?? "";

function fillPath(
  { path, id, below, name }: Target,
  fill: (name: string) => string,
  random: Random,
): string {
  const resource = resourceOf(path);
  const isOfQuote = below === "quoting";
  const named = isOfQuote ? "Quoted" : id;
  const first = named ?? KIND_OF_RESOURCE[resource] ?? resource;
  return path.replaceAll(/:(\w+)/g, (_, part: string) => {
    if (random.isLikely(0.12)) return random.pick(HOSTILE_PARTS);
    if (random.isLikely(0.08)) return fill(random.pick(ANY_KIND));
    if (part === "name") return name ?? random.pick(["row", "deer", "a%20b"]);
    if (part === "date") return "2026-01-01";
    return part === "id" ? fill(first) : fill(below ?? "Status");
  });
}

const ANY_KIND = Object.values(KIND_OF).filter((kind) => kind !== "");

type Pairs = Draft["query"];

const readQuery = ({ query }: Target, fill: (name: string) => string): Pairs =>
  (query?.split("&") ?? []).map((pair) => {
    const [name = "", value = ""] = pair.split("=");
    const filled = value.replaceAll(/\{(\w+)\}/g, (_, it: string) => fill(it));
    return [name, decodeURIComponent(filled)];
  });

const fillAll = (
  body: Readonly<Record<string, unknown>>,
  fill: (name: string) => string,
): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(body).replaceAll(/\{(\w+)\}/g, (_, it: string) => fill(it)),
  ) as Record<string, unknown>;

/** Fields that nobody but the caller reads. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  "POST /v1/accounts/:id/note": "comment",
  "POST /v1/lists": "title",
  "PUT /v1/lists/:id": "title",
  "POST /v2/filters": "title",
  "PUT /v2/filters/:id": "title",
  "POST /v2/filters/:id/keywords": "keyword",
  "POST /v1/filters": "phrase",
};

/**
 * Makes a text of the call a private one.
 * @returns the readers of a private message; `text` for another text
 */
function addSecret(
  { method, path }: Target,
  draft: Draft,
  world: MastodonWorld,
  owner: Owner,
  random: Random,
): Readers | "text" | undefined {
  const { secrets } = world;
  const field = OWN_TEXTS[`${method} ${path}`];
  if (field !== undefined && random.isLikely(0.5)) {
    draft.body = { ...draft.body, [field]: secrets.of(owner) };
    return "text";
  }
  if (method !== "POST" || path !== "/v1/statuses" || random.isLikely(0.5))
    return undefined;
  const talk = random.pickAny(secrets.conversationsOf(owner));
  const other = random.pick(world.people);
  const kind = random.below(4);
  const visibility = kind > 1 ? "private" : "direct";
  if (kind === 0 && talk) {
    const [in_reply_to_id, readers] = talk;
    const status = secrets.readBy(readers);
    draft.body = { status, visibility, in_reply_to_id };
    return readers;
  }
  if (kind === 1) {
    const [text, readers] = secrets.among([owner, other]);
    draft.body = { status: `@${other.person.handle} ${text}`, visibility };
    return readers;
  }
  const isFollowers = visibility === "private";
  const status = isFollowers ? secrets.ofFollowers(owner) : secrets.of(owner);
  const scheduled = kind === 3 && { scheduled_at: world.later };
  draft.body = { status, visibility, ...scheduled };
  return "text";
}

const BRACKETS = ["[]", "[0]", "[a]", "[a][b]", "[][a]", "[", "]", "[[]]"];
/** They say who may read a status, or what is done with it. */
const OF_AUDIENCE = new Set([
  ...["status", "visibility", "aspect_ids", "in_reply_to_id", "scheduled_at"],
]);

/** Adds and replaces parameters; those that make a text private are left as they are. */
function disturb(
  draft: Draft,
  isPrivate: boolean,
  world: MastodonWorld,
  owner: Owner,
  random: Random,
): void {
  const own = Object.keys(draft.body ?? {});
  for (let n = random.below(4); n >= 0; n -= 1) {
    const isOwn = own.length > 0 && !isPrivate && random.isLikely(0.4);
    const name = random.pick(isOwn ? own : KNOWN);
    if (isPrivate && (OF_AUDIENCE.has(name) || own.includes(name))) continue;
    const value = random.isLikely(0.5)
      ? usualValue(name, world, owner, random)
      : random.pick(HOSTILE_VALUES);
    const written =
      !isPrivate && random.isLikely(0.15) ? name + random.pick(BRACKETS) : name;
    if (draft.method === "GET" || random.isLikely(0.15))
      draft.query.push([written, value]);
    else draft.body = { ...draft.body, [written]: value };
  }
  if (isPrivate) return;
  if (random.isLikely(0.05)) draft.method = random.pick(["HEAD", "OPTIONS"]);
  if (random.isLikely(0.04)) draft.path += random.pick(["/", "//", "/x", "?"]);
  if (random.isLikely(0.05)) draft.body = undefined;
}
