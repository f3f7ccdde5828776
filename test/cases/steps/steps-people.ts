import type { Item } from "../case-file.ts";
import { deliver } from "../network/deliver.ts";
import { idOf, isRecord, textIn, type Json } from "../json.ts";
import { crowdActor } from "../network/network-actors.ts";
import type { Requested } from "../network/network.ts";
import { readRelations } from "../shown/relations.ts";
import {
  actorIdOf,
  CannotDo,
  fillIn,
  handleOfWho,
  isLocal,
  localActor,
  waitFor,
  type LocalName,
  type World,
} from "../world.ts";

/** Whether a step belongs to the setup, or to the action, where it may be refused. */
export type Phase = "given" | "when";

const WITHIN_MS = 15_000;
const SEARCHES = 3;
const REFUSED_WITHIN_MS = 3_000;

export async function follow(
  world: World,
  item: Item,
  phase: Phase,
): Promise<void> {
  const [who = "", whom = ""] = item["follow"] as string[];
  if (!isLocal(who)) return remoteFollow(world, who, whom, item["id"]);
  const sent = await startFollowing(world, who, whom, phase);
  if (sent) await acceptFollow(world, who, whom, sent);
  if (phase === "when") return;
  const wanted = actorIdOf(world, whom);
  await need(`${who} does not follow ${whom}`, async () => {
    const { items, totalItems } = await readRelations(world, who, "following");
    return (items?.includes(wanted) ?? totalItems > 0) || undefined;
  });
}

export async function pending(
  world: World,
  item: Item,
  phase: Phase,
): Promise<void> {
  const [who = "", whom = ""] = item["pending"] as [LocalName, string];
  await startFollowing(world, who as LocalName, whom, phase);
}

/** @returns the Follow on the network; undefined if it is local, or was refused */
async function startFollowing(
  world: World,
  who: LocalName,
  whom: string,
  phase: Phase,
): Promise<Json | undefined> {
  const from = world.network.log.length;
  try {
    await addToAspect(world, who, whom, await friendsOf(world, who));
  } catch (error) {
    if (phase === "given") throw error;
    return undefined;
  }
  if (isLocal(whom)) return undefined;
  const [actor, object] = [localActor(world, who), actorIdOf(world, whom)];
  const found = await waitFor(
    () =>
      findSent(world, from, "Follow", (one) => {
        return idOf(one["actor"]) === actor && idOf(one["object"]) === object;
      }),
    phase === "given" ? WITHIN_MS : REFUSED_WITHIN_MS,
  );
  if (!found && phase === "given")
    throw new Error(`no Follow of ${whom} by ${who} reached the network`);
  const id = idOf(found);
  if (who === "alice" && id !== undefined)
    world.placeholders.set("aliceFollow", id);
  return found;
}

async function acceptFollow(
  world: World,
  who: LocalName,
  whom: string,
  sent: Json,
): Promise<void> {
  const actor = actorIdOf(world, whom);
  const { "@context": _, ...object } = sent;
  const id = `${actor}#accepts/${encodeURIComponent(String(sent["id"]))}`;
  const accept = { "@context": CONTEXT, id, type: "Accept", actor, object };
  const text = JSON.stringify(accept);
  const { status } = await deliver(world, { text, signer: actor, to: who });
  if (status >= 300) throw new Error(`the Accept was answered ${status}`);
}

const CONTEXT = "https://www.w3.org/ns/activitystreams";

async function remoteFollow(
  world: World,
  who: string,
  whom: string,
  givenId: unknown,
): Promise<void> {
  if (!isLocal(whom)) throw new CannotDo(`${whom} is not here`);
  const actor = actorIdOf(world, who);
  const id = fillIn(world, idOf(givenId) ?? `${actor}#follows/given`);
  const object = localActor(world, whom);
  const activity = { "@context": CONTEXT, id, type: "Follow", actor, object };
  await deliverAndGetAccepted(world, activity, whom);
}

/** Delivers an activity that is to be accepted, and waits for the Accept. */
async function deliverAndGetAccepted(
  world: World,
  activity: Json,
  to: LocalName,
): Promise<void> {
  const { id, type, actor } = activity;
  const from = world.network.log.length;
  const text = JSON.stringify(activity);
  const signer = String(actor);
  const { status } = await deliver(world, { text, signer, to });
  const what = `the ${String(type)} of ${signer}`;
  if (status >= 300) throw new Error(`${what} was answered ${status}`);
  await need(`${what} was not accepted`, () =>
    findSent(world, from, "Accept", (one) => idOf(one["object"]) === id),
  );
}

export async function crowd(world: World, item: Item): Promise<void> {
  const { event, count } = item["crowd"] as { event: string; count: number };
  const object = fillIn(world, event);
  for (let number = 1; number <= count; number += 1) {
    const actor = crowdActor(number);
    world.network.addActor(actor);
    const id = `${actor.id}#joins/given`;
    await deliverAndGetAccepted(
      world,
      { "@context": CONTEXT, id, type: "Join", actor: actor.id, object },
      "alice",
    );
  }
}

export async function known(world: World, item: Item): Promise<void> {
  await findPerson(world, "alice", String(item["known"]));
}

/** A person found by a search, possibly repeated, because it times out. @throws if there is none */
export async function findPerson(
  world: World,
  who: LocalName,
  whom: string,
): Promise<Json> {
  const form = { handle: handleOfWho(world, whom) };
  const service = world.services[who];
  for (let again = SEARCHES; again > 1; again -= 1) {
    const { status, text } = await service.api("POST", "/search", form);
    if (status === 200) return JSON.parse(text) as Json;
  }
  return service.change("POST", "/search", form);
}

export async function addToAspect(
  world: World,
  who: LocalName,
  whom: string,
  aspectId: string,
): Promise<void> {
  const person = await findPerson(world, who, whom);
  const path = `/people/${String(person["ID"])}/aspects/${aspectId}`;
  await world.services[who].change("POST", path);
}

async function friendsOf(world: World, who: LocalName): Promise<string> {
  const aspects = await world.services[who].list("/aspects");
  const friends = aspects.find(({ Name }) => Name === "friends");
  if (!friends) throw new Error(`${who} has no aspect friends`);
  return String(friends["ID"]);
}

/** The newest activity of a type that the server has sent since a place in the log. */
export function findSent(
  { network }: World,
  from: number,
  type: string,
  fits: (activity: Json) => boolean,
): Json | undefined {
  const isIt = ({ activity }: Requested) =>
    isRecord(activity) && textIn(activity, "type") === type && fits(activity);
  const found = network.log.slice(from).findLast(isIt);
  return found?.activity as Json | undefined;
}

/** Waits for an expected event. @throws if it does not occur */
export async function need<T>(
  otherwise: string,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const found = await waitFor(look, WITHIN_MS);
  if (found === undefined) throw new Error(otherwise);
  return found;
}
