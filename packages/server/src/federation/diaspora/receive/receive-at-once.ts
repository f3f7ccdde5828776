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
import { needsConfirmation } from "../authority/receive-context.ts";
import {
  isEmpty,
  readPostEntity,
  type ReadPostContext,
} from "./receive-post.ts";
import {
  refuseEndpoint,
  refuseForeignAuthor,
} from "../authority/sender-rules.ts";

/**
 * Reads a public envelope whose entity is a public post that can be stored
 * without any fetch.
 * @param envelope verified
 * @returns undefined if the worker must handle it, also in order to refuse it
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
  const admit = deps.strangers.admitOnce(sender);
  return {
    senderId: sender.id,
    names: [post.guid, post.uri],
    execute: (tx, { isFollowed }) =>
      admit(isFollowed, async () => {
        const { kind } = await deps.posts.receive(post, tx);
        return kind === "stored";
      }),
  };
}

/** Neither an edit nor an invitation, and without references to fetch. */
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
