import type { Tx } from "../../db/db.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import { isProtocolOpen, updateProtocol } from "./remote-person-store.ts";
import type { Person } from "../../features/people/index.ts";

/** A person's protocols according to a look-up. */
type ProtocolFindings = {
  /** In order of preference. */
  readonly protocols: readonly [Protocol, ...Protocol[]];
  /** Protocols without an answer. */
  readonly silent?: readonly Protocol[];
  readonly isActorWithdrawn?: boolean;
};

/** Did the preferred protocol give no answer, so that another one was found first? */
export function isOpenChoice({
  protocols,
  silent = [],
}: ProtocolFindings): boolean {
  return protocols[0] !== "activitypub" && silent.includes("activitypub");
}

/**
 * Chooses the protocol again where the one in use has ended, or where the preferred one gave no
 * answer at the first choice and has answered since.
 */
export async function chooseProtocol(
  tx: Tx,
  { id, protocol }: Person,
  findings: ProtocolFindings,
): Promise<void> {
  const { protocols, silent = [], isActorWithdrawn = false } = findings;
  const isLost = protocol === "activitypub" && isActorWithdrawn;
  const isHere =
    protocol !== null &&
    (protocols.includes(protocol) || (silent.includes(protocol) && !isLost));
  const isOpen = isOpenChoice(findings);
  const wasOpen = await isProtocolOpen(tx, id);
  if (!isHere || (wasOpen && !isOpen))
    await updateProtocol(tx, id, protocols[0], isOpen);
}
