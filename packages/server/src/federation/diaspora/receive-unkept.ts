import type { Entity } from "@kith/diaspora";
import { done, type InboundResult } from "../inbound/inbound.ts";
import { refused, type Arrival } from "./receive-context.ts";
import { refuseForeignAuthor } from "./sender-rules.ts";

/**
 * Checks what is not kept here as if it were: operators are to see what somebody
 * sent in another's name.
 * @returns an outcome that begins with `ignored`, or a refusal
 */
export function receiveUnkept(
  entity: Entity,
  { sender }: Arrival,
): InboundResult {
  if (!("author" in entity)) return refused("no message of its own");
  const refusal = refuseForeignAuthor(entity, sender.handle);
  return refusal === undefined
    ? done(`ignored: ${entity.type}`)
    : refused(refusal);
}
