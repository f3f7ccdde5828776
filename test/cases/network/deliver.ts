import { signCavage } from "@kith/activitypub";
import type { Answer } from "../call.ts";
import { parseOrNothing } from "../json.ts";
import { putKeys } from "../payloads.ts";
import { CannotDo, localActor, type World } from "../world.ts";

export type Delivery = {
  /** Ready except for the placeholders of keys. */
  readonly text: string;
  /** An actor id. */
  readonly signer: string;
  /** If it is not the signer's own. */
  readonly keyId?: string | undefined;
  readonly to?: "alice" | "bob" | "shared" | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

const CONTENT_TYPE = "application/activity+json";

/** Posts an activity to an inbox, signed with the current time. */
export async function deliver(
  world: World,
  delivery: Delivery,
): Promise<Answer> {
  const { to = "alice", headers = {} } = delivery;
  const url =
    to === "shared"
      ? `${world.baseUrl}/api/v1/ap/inbox`
      : `${localActor(world, to)}/inbox`;
  const body = Buffer.from(await putKeys(delivery.text, world.keys));
  world.network.noteSent(parseOrNothing(delivery.text), delivery.signer);
  const { contentType = CONTENT_TYPE } = world.folder.index.defaults;
  const given: Record<string, string> = { "content-type": contentType };
  for (const [name, value] of Object.entries(headers))
    given[name.toLowerCase()] = value;
  const extra = Object.keys(headers)
    .map((name) => name.toLowerCase())
    .filter((name) => name !== "content-type");
  const signed = await signCavage({
    method: "POST",
    url,
    headers: given,
    body,
    signedHeaders: [
      ...["(request-target)", "host", "date", "digest", "content-type"],
      ...extra,
    ],
    ...(await keyOf(world, delivery.signer, delivery.keyId)),
    now: new Date(),
  });
  const path = url.slice(world.baseUrl.length);
  return world.server.caller.call({
    method: "POST",
    path,
    headers: signed,
    body,
  });
}

/** Fetches a document of the server, signed by a person on the network. */
export async function signedGet(
  world: World,
  url: string,
  signer: string,
): Promise<Answer> {
  const { origin, pathname, search } = new URL(url);
  if (origin !== world.baseUrl)
    throw new CannotDo(`${url} is not on the server under test`);
  const headers = await signCavage({
    method: "GET",
    url,
    headers: { accept: CONTENT_TYPE },
    ...(await keyOf(world, signer)),
    now: new Date(),
  });
  const path = pathname + search;
  return world.server.caller.call({ method: "GET", path, headers });
}

async function keyOf(world: World, signer: string, keyId?: string) {
  const own = keyId ?? world.network.findActor(signer)?.keyId;
  if (own === undefined)
    throw new CannotDo(`nobody on the network is ${signer}`);
  const served = world.network.keyServedAt(own);
  const { privateKey } = await world.keys.get(served);
  return { keyId: own, privateKey };
}
