import type { Item } from "../case-file.ts";
import { deliver } from "../network/deliver.ts";
import { idOf, textIn, type Json } from "../json.ts";
import type { NetworkActor } from "../network/network-actors.ts";
import { findSent, need } from "./steps-people.ts";
import { CannotDo, fillIn, type World } from "../world.ts";

const CONTEXT = "https://www.w3.org/ns/activitystreams";
const PUBLIC = `${CONTEXT}#Public`;

/**
 * The operator subscribes the server to a relay, and the relay accepts. One with an id
 * ending in `/relay` is an actor that is followed and follows back, as in LitePub; for
 * any other one `as:Public` is followed at its inbox, as in Mastodon (FEP-ae0c).
 */
export async function relay(world: World, item: Item): Promise<void> {
  const id = fillIn(world, String(item["relay"]));
  const actor = world.network.findActor(id);
  if (!actor) throw new CannotDo(`nobody on the network is ${id}`);
  const isFollowed = new URL(actor.id).pathname.endsWith("/relay");
  const url = isFollowed ? actor.id : actor.inbox;
  const from = world.network.log.length;
  await world.operator.change("POST", "/admin/relays", { url });
  const object = isFollowed ? actor.id : PUBLIC;
  const follow = await need(`no Follow reached the relay ${url}`, () =>
    findSent(world, from, "Follow", (one) => idOf(one["object"]) === object),
  );
  await accept(world, actor, follow);
  await need(`${url} is no relay of the server`, async () => {
    const relays = await world.operator.list("/admin/relays");
    const found = relays.find((one) => one["Url"] === url);
    return found?.["State"] === "accepted" ? found : undefined;
  });
  if (isFollowed) await followBack(world, actor, follow);
}

async function accept(
  world: World,
  { id: actor }: NetworkActor,
  { "@context": _, ...follow }: Json,
): Promise<void> {
  const id = `${actor}#accepts/given`;
  await deliverToShared(world, {
    ...{ "@context": CONTEXT, id, type: "Accept", actor },
    object: follow,
  });
}

async function followBack(
  world: World,
  { id: actor }: NetworkActor,
  follow: Json,
): Promise<void> {
  const from = world.network.log.length;
  const id = `${actor}#follows/given`;
  await deliverToShared(world, {
    ...{ "@context": CONTEXT, id, type: "Follow", actor },
    object: textIn(follow, "actor"),
  });
  await need(`the server does not let ${actor} follow it back`, () =>
    findSent(world, from, "Accept", (one) => idOf(one["object"]) === id),
  );
}

/** Relays know the server, and none of its users. */
async function deliverToShared(world: World, activity: Json): Promise<void> {
  const text = JSON.stringify(activity);
  const signer = String(activity["actor"]);
  const { status } = await deliver(world, { text, signer, to: "shared" });
  if (status >= 300)
    throw new Error(`the ${String(activity["type"])} was answered ${status}`);
}
