import type { Tx } from "../../db/db.ts";
import { noteCreation } from "./creation-store.ts";
import {
  findFirst,
  insertInbound,
  type NewInboundMessage,
} from "./inbound-store.ts";

/**
 * Stores a message unless it was here before. An id that was here before is taken again
 * where the message sets a state, was signed anew and is about the same: some servers
 * use one id for each time that they follow somebody, edit or like a thing.
 * @returns undefined where it was here before
 */
export async function insertNew(
  tx: Tx,
  message: NewInboundMessage,
): Promise<number | undefined> {
  const { creates, receivedAt, protocol, messageId, proof, about } = message;
  if (creates && !(await noteCreation(tx, creates, receivedAt)))
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
