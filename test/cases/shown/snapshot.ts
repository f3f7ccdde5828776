import { isRecord, type Json } from "../json.ts";
import { brief, failing, holding, type Outcome } from "../outcome.ts";
import { Records } from "./records.ts";
import { readRelations } from "./relations.ts";
import type { LocalName, World } from "../world.ts";

const USERS = ["alice", "bob"] as const;
const POST_FIELDS = "Guid,Type,Text,Public,RootGuid,Url,PersonID,Photos";
const MAX_PEOPLE = 100;
const MISSES = 10;

type Look = (
  world: World,
  records: Records,
  user: LocalName,
) => Promise<unknown>;

/** The data visible to alice and bob, by the terms of `unchanged`. */
const LOOKS: Readonly<Record<string, Look>> = {
  posts: async (_world, records, user) =>
    (await records.posts(user)).map((post) => pick(post, POST_FIELDS)),
  comments: (_world, records, user) => below(records, user, "comments"),
  likes: (_world, records, user) => below(records, user, "likes"),
  reshares: async (_world, records, user) =>
    (await below(records, user, "reshares")).map((one) =>
      pick(one, POST_FIELDS),
    ),
  polls: async (_world, records, user) =>
    (await records.posts(user)).map((post) => pick(post, "Guid,Poll")),
  events: (_world, records, user) => records.list(user, "/calendar/events"),
  follows: lookAtRelations,
  profiles: lookAtPeople,
  notifications: (_world, records, user) =>
    records.list(user, "/notifications"),
};

/** Stores the current content of the named lists. */
export async function keepSnapshot(
  world: World,
  words: readonly string[],
): Promise<void> {
  for (const word of words) {
    const looking = look(world, word);
    world.before.set(word, looking);
    await looking;
  }
}

async function look(world: World, word: string): Promise<unknown> {
  const seen: Json = {};
  const take = LOOKS[word];
  if (!take) throw new Error(`nothing is known of ${word}`);
  for (const user of USERS)
    seen[user] = await take(world, new Records(world), user);
  return withoutUpdatedAt(seen);
}

export async function unchanged(
  world: World,
  value: unknown,
): Promise<Outcome> {
  const words = value as string[];
  for (const word of words) {
    const before = await world.before.get(word);
    const now = await look(world, word);
    const difference = word === "profiles" ? lost(before, now) : [before, now];
    const [was, is] = difference.map((one) => JSON.stringify(one));
    if (was !== is)
      return failing(
        `${word} were ${brief(was ?? "")} and are ${brief(is ?? "")}`,
      );
  }
  return holding(`unchanged: ${words.join(", ")}`);
}

/** A newly known person is not a change of the others. */
function lost(before: unknown, now: unknown): [unknown, unknown] {
  const kept: Json = {};
  for (const user of USERS) {
    const were = Object(Reflect.get(Object(before), user)) as Json;
    const are = Object(Reflect.get(Object(now), user)) as Json;
    kept[user] = Object.fromEntries(
      Object.keys(were).map((id) => [id, are[id]]),
    );
  }
  return [before, kept];
}

async function below(
  records: Records,
  user: LocalName,
  what: string,
): Promise<Json[]> {
  const found: Json[] = [];
  for (const post of await records.posts(user)) {
    const path = `/posts/${String(post["ID"])}`;
    found.push(...(await records.list(user, `${path}/${what}`)));
    if (what !== "likes") continue;
    for (const comment of await records.list(user, `${path}/comments`)) {
      const likes = `/comments/${String(comment["ID"])}/likes`;
      found.push(...(await records.list(user, likes)));
    }
  }
  return found;
}

async function lookAtRelations(
  world: World,
  records: Records,
  user: LocalName,
): Promise<unknown> {
  return {
    followers: await readRelations(world, user, "followers"),
    following: await readRelations(world, user, "following"),
    aspects: await records.list(user, "/aspects"),
  };
}

/** All known people, by database id. */
async function lookAtPeople(
  world: World,
  _records: Records,
  user: LocalName,
): Promise<Json> {
  const people: Json = {};
  let misses = 0;
  for (let id = 1; id <= MAX_PEOPLE && misses < MISSES; id += 1) {
    const person = await world.services[user].find(`/people/${id}`);
    if (person) people[String(id)] = person;
    misses = person ? 0 : misses + 1;
  }
  return people;
}

function pick(record: Json, names: string): Json {
  return Object.fromEntries(
    names.split(",").map((name) => [name, record[name]]),
  );
}

/** Data that was merely read again counts as unchanged. */
function withoutUpdatedAt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUpdatedAt);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "UpdatedAt")
      .map(([name, one]) => [name, withoutUpdatedAt(one)]),
  );
}
