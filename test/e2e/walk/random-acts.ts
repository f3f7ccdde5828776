import assert from "node:assert/strict";
import type { Resident } from "../../support/resident.ts";
import type { Json } from "../../support/api-client.ts";
import { Random } from "../../support/random.ts";
import type { Ledger } from "./ledger.ts";

/** Numbers from 0 up to 1, deterministic by seed. */
export function randomNumbers(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}

/** A person who acts at random, and records acknowledged actions. */
export type Actor = {
  readonly who: Resident;
  /** The id of an aspect, and its members. */
  readonly aspect: string;
  readonly members: ReadonlySet<string>;
  readonly random: () => number;
  readonly ledger: Ledger;
};

type Act = (actor: Actor, name: string) => Promise<void>;

function pick<T>({ random }: Actor, list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)];
}

/** A call that may be too late, since others retract their posts. @returns undefined if it was */
async function attempt(
  { who }: Actor,
  method: string,
  path: string,
  parameters?: Readonly<Record<string, string>>,
): Promise<Json | undefined> {
  const { status, body } = await who.api.call(method, path, parameters);
  if (status === 404) return undefined;
  assert.equal(status, 200, `${method} ${path}: ${JSON.stringify(body)}`);
  return body as Json;
}

/** One of the posts that have arrived on a person's server. */
async function somePost(actor: Actor): Promise<string | undefined> {
  const listed = await actor.who.api.getList("/posts?limit=30");
  const guids = listed.map(({ Guid }) => String(Guid));
  // A post being published at this moment is not in the ledger yet.
  return pick(
    actor,
    guids.filter((guid) => actor.ledger.has(guid)),
  );
}

const publish: Act = async (actor, text) => {
  const { who, aspect, members, random, ledger } = actor;
  const isLimited = random() < 0.5;
  const answers = random() < 0.4 ? ["yes", "no"] : [];
  const guid = await who.publish(text, {
    ...(isLimited ? { aspect } : {}),
    ...(answers.length > 0 ? { question: text, answers } : {}),
  });
  const audience = isLimited ? members : undefined;
  ledger.publish(guid, { by: who.name, text, audience, answers });
};

const comment: Act = async (actor, text) => {
  const post = await somePost(actor);
  if (post === undefined) return;
  const path = `/posts/${post}/comments`;
  const made = await attempt(actor, "POST", path, { comment: text });
  const said = { by: actor.who.name, text, likers: new Set<string>() };
  if (made) actor.ledger.get(post).comments.set(String(made["Guid"]), said);
};

const mark: Act = async (actor) => {
  const post = await somePost(actor);
  if (post === undefined) return;
  const { marks } = actor.ledger.get(post);
  const { name } = actor.who;
  const positive = actor.random() < 0.6;
  if (marks.has(name) && actor.random() < 0.5) {
    if (await attempt(actor, "DELETE", `/posts/${post}/likes`))
      marks.delete(name);
  } else if (await attempt(actor, "POST", `/posts/${post}/likes/${positive}`))
    marks.set(name, positive);
};

const likeComment: Act = async (actor) => {
  const post = await somePost(actor);
  if (post === undefined) return;
  const path = `/posts/${post}/comments?limit=100`;
  const { status, body } = await actor.who.api.call("GET", path);
  const listed = status === 200 ? (body as { Guid: string }[]) : [];
  const { comments } = actor.ledger.get(post);
  const guids = listed.map(({ Guid }) => Guid);
  const guid = pick(
    actor,
    guids.filter((one) => comments.has(one)),
  );
  if (guid === undefined) return;
  const said = comments.get(guid);
  // Its author may be retracting it, which removes the like as well.
  if (await attempt(actor, "POST", `/comments/${guid}/likes/true`))
    said?.likers.add(actor.who.name);
};

const vote: Act = async (actor) => {
  const post = await somePost(actor);
  if (post === undefined) return;
  const { votes, answers } = actor.ledger.get(post);
  const { name } = actor.who;
  const chosen = pick(actor, answers);
  if (chosen === undefined || votes.has(name)) return;
  const record = await attempt(actor, "GET", `/posts/${post}`);
  if (!record) return;
  const { Answers } = record["Poll"] as {
    Answers: { Text: string; Guid: string }[];
  };
  const answer = Answers.find(({ Text }) => Text === chosen)?.Guid ?? "";
  const path = `/posts/${post}/poll/votes`;
  if (await attempt(actor, "POST", path, { answer })) votes.set(name, chosen);
};

const takeBackComment: Act = async (actor) => {
  const said = pick(actor, actor.ledger.listSaid(actor.who.name));
  if (!said) return;
  if (await attempt(actor, "DELETE", `/comments/${said.comment}`))
    actor.ledger.get(said.post).comments.delete(said.comment);
};

const takeBackPost: Act = async (actor) => {
  const own = pick(actor, actor.ledger.listOwn(actor.who.name));
  if (own === undefined) return;
  await actor.who.removePost(own);
  actor.ledger.get(own).isRemoved = true;
};

/** The frequency of each action, of 20. */
const ACTS: readonly Act[] = [
  ...Array.from({ length: 5 }, () => publish),
  ...Array.from({ length: 5 }, () => comment),
  ...Array.from({ length: 4 }, () => mark),
  ...Array.from({ length: 2 }, () => likeComment),
  ...Array.from({ length: 2 }, () => vote),
  takeBackComment,
  takeBackPost,
];

/** Performs this many actions, one after the other. */
export async function actAtRandom(actor: Actor, times: number): Promise<void> {
  await publish(actor, `${actor.who.name} begins`);
  for (let n = 1; n < times; n += 1)
    await pick(actor, ACTS)?.(actor, `${actor.who.name} ${n}`);
}
