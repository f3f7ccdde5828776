import {
  DiasporaError,
  parseEntity,
  type Entity,
  type UnverifiedEnvelope,
} from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import type { Immediate } from "../inbound/inbound.ts";
import type { DiasporaDeps } from "./deps.ts";
import { readStatusMessage } from "./receive-post.ts";
import { refuseEndpoint, refuseForeignAuthor } from "./sender-rules.ts";

/**
 * What an envelope for everyone asks for, where that is a public post and nothing
 * else: storing it needs nothing that is not here.
 * @param envelope verified
 * @returns undefined where the worker is to look at it, also to say why it is refused
 */
export function readImmediate(
  deps: Pick<DiasporaDeps, "clock" | "polls" | "posts">,
  envelope: UnverifiedEnvelope,
  sender: Person,
): Immediate | undefined {
  const entity = readEntity(envelope);
  if (entity?.type !== "status_message" || entity.event) return undefined;
  if (refuseEndpoint(entity, null) !== undefined) return undefined;
  if (refuseForeignAuthor(entity, sender.handle) !== undefined)
    return undefined;
  const post = readStatusMessage(deps, entity, { sender, owner: null });
  return {
    senderId: sender.id,
    carryOut: async (tx) => void (await deps.posts.receive(post, tx)),
  };
}

function readEntity(envelope: UnverifiedEnvelope): Entity | undefined {
  try {
    return parseEntity(envelope.payloadXml());
  } catch (error) {
    if (error instanceof DiasporaError) return undefined;
    throw error;
  }
}
