import {
  ActivityPubError,
  buildActivity,
  PUBLIC,
  serialize,
  withContext,
  type JsonObject,
} from "@kith/activitypub";
import type { Relays } from "./relay-list.ts";
import type { Relay } from "./relay-store.ts";
import { DONE, type JobHandler } from "../../../jobs/job.ts";
import type { Dispatcher } from "../../outbound/dispatch.ts";
import { fetchActor, type FetchOwnDeps } from "../authority/fetch-own.ts";
import { derivedGuid, type Uris } from "../records/uris.ts";

export type RelayDeps = FetchOwnDeps & {
  readonly relays: Relays;
  readonly uris: Uris;
  readonly dispatch: Dispatcher;
};

const RETRY_MS = 600_000;

/**
 * Subscribes to a relay. By an inbox the Public collection is followed, as
 * Mastodon does it; otherwise the relay's actor, as Pleroma does.
 * @see FEP-ae0c
 */
export function createFollowRelay(
  deps: RelayDeps,
): JobHandler<{ readonly relayId: number }> {
  return async ({ relayId }) => {
    const relay = await deps.relays.find(relayId);
    if (!relay) return DONE;
    if (relay.kind === "inbox") {
      await sendAsServer(deps, relay, renderFollow(deps, relay));
      return DONE;
    }
    const actor = await findRelayActor(deps, relay);
    if (!actor)
      return {
        kind: "retry",
        afterMs: RETRY_MS,
        reason: "The relay's actor cannot be had",
      };
    const known = { ...relay, actorUri: actor.id, inboxUri: actor.inbox };
    await deps.relays.note(relay, known);
    await sendAsServer(deps, known, renderFollow(deps, known));
    return DONE;
  };
}

/** Unsubscribes from a relay. */
export function createLeaveRelay(
  deps: RelayDeps,
): JobHandler<{ readonly relay: Relay }> {
  return async ({ relay }) => {
    await sendAsServer(deps, relay, renderUndo(deps, relay));
    return DONE;
  };
}

async function findRelayActor(deps: RelayDeps, { url }: Relay) {
  try {
    return await fetchActor(deps, url);
  } catch (error) {
    if (error instanceof ActivityPubError) return undefined;
    throw error;
  }
}

function renderFollow({ uris }: RelayDeps, relay: Relay): JsonObject {
  const { kind, actorUri, url, followGuid } = relay;
  return buildActivity({
    id: uris.activity(followGuid),
    type: "Follow",
    actor: uris.instance,
    object: kind === "inbox" ? PUBLIC : (actorUri ?? url),
    ...(kind === "actor" && { to: [actorUri ?? url] }),
  });
}

function renderUndo(deps: RelayDeps, relay: Relay): JsonObject {
  const { uris } = deps;
  return buildActivity({
    id: uris.activity(derivedGuid("undo", relay.followGuid)),
    type: "Undo",
    actor: uris.instance,
    object: renderFollow(deps, relay),
    ...(relay.actorUri !== null && { to: [relay.actorUri] }),
  });
}

/** Sends an activity of the server actor to a relay. */
export async function sendAsServer(
  { dispatch }: Pick<RelayDeps, "dispatch">,
  { id, inboxUri }: Relay,
  activity: JsonObject,
): Promise<void> {
  if (inboxUri === null) return;
  const document = serialize(withContext(activity));
  await dispatch([
    {
      document,
      order: { about: `relay:${id}` },
      deliveries: [
        {
          protocol: "activitypub",
          url: inboxUri,
          place: inboxUri,
          senderUserId: null,
          recipientId: null,
        },
      ],
    },
  ]);
}
