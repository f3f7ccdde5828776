import type { Tx } from "../../db/db.ts";
import { insertCreation } from "./creation-store.ts";
import {
  findFirst,
  insertInbound,
  type NewInboundMessage,
} from "./inbound-store.ts";

/**
 * Stores a message unless its id was seen before. A known id is accepted again
 * if the message sets a state, has a new signature and the same subject: some
 * servers reuse one id for each follow, edit or like.
 * @returns undefined if it was seen before
 */
export async function insertNew(
  tx: Tx,
  message: NewInboundMessage,
): Promise<number | undefined> {
  const { creates, receivedAt, protocol, messageId, proof, about } = message;
  if (creates && !(await insertCreation(tx, creates, receivedAt)))
    return undefined;
  const id = await insertInbound(tx, message);
  if (id !== undefined || messageId === null || !proof) return id;
  const first = await findFirst(tx, protocol, messageId);
  if (!first || first.proof === proof) return undefined;
  const isAboutAnother =
    first.about !== null && about != null && first.about !== about;
  if (isAboutAnother) return undefined;
  return insertInbound(tx, { ...message, messageId: `${messageId} ${proof}` });
}
