import {
  diasporaLinksIn,
  DiasporaError,
  parseEntity,
  type Entity,
  type StatusMessage,
  type UnverifiedEnvelope,
} from "@kith/diaspora";
import type { Person } from "../../../features/people/index.ts";
import type { Immediate } from "../../inbound/inbound.ts";
import type { DiasporaDeps } from "../deps.ts";
import { needsConfirmation } from "./receive-context.ts";
import {
  isEmpty,
  readPostEntity,
  type ReadPostContext,
} from "./receive-post.ts";
import {
  refuseEndpoint,
  refuseForeignAuthor,
} from "../records/sender-rules.ts";

/**
 * What an envelope for everyone asks for, where that is a public post and nothing
 * else: storing it needs nothing that is not here.
 * @param envelope verified
 * @returns undefined where the worker is to look at it, also to say why it is refused
 */
export async function readImmediateEnvelope(
  deps: ReadPostContext & Pick<DiasporaDeps, "posts" | "strangers">,
  envelope: UnverifiedEnvelope,
  sender: Person,
): Promise<Immediate | undefined> {
  const entity = readEntity(envelope);
  if (entity?.type !== "status_message" || !isPlain(entity)) return undefined;
  if (needsConfirmation(entity, sender)) return undefined;
  if (refuseEndpoint(entity, null) !== undefined) return undefined;
  if (refuseForeignAuthor(entity, sender.handle) !== undefined)
    return undefined;
  const arrival = { sender, owner: null, depth: 0 };
  const post = await readPostEntity(deps, entity, arrival);
  return {
    senderId: sender.id,
    execute: async (tx) => {
      const store = async () =>
        (await deps.posts.receive(post, tx)).kind === "stored";
      return deps.strangers.admitNew(sender, store, tx);
    },
  };
}

/** Neither an edit nor an invitation, and nothing in it has to be fetched. */
function isPlain(entity: StatusMessage): boolean {
  return (
    entity.event === undefined &&
    entity.editedAt === undefined &&
    !isEmpty(entity) &&
    diasporaLinksIn(entity.text ?? "").length === 0
  );
}

function readEntity(envelope: UnverifiedEnvelope): Entity | undefined {
  try {
    return parseEntity(envelope.payloadXml());
  } catch (error) {
    if (error instanceof DiasporaError) return undefined;
    throw error;
  }
}
