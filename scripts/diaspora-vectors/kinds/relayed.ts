import {
  decryptEnvelope,
  isRelayable,
  parseEntity,
  parseEnvelope,
  verifyEnvelope,
  type Entity,
  type Relayable,
} from "@kith/diaspora";
import { differs, privateKey } from "./pure.ts";
import { personOf, type VectorFile, type VectorPerson } from "../file.ts";
import { serverOf, type Sent } from "../network.ts";

/**
 * Checks that the root's author relayed it to the witness as signed by its own
 * author (protocol section 9.6).
 * @param sent everything that the server has sent since
 * @returns the fault, or undefined
 */
export async function checkRelayed(
  file: VectorFile,
  witness: VectorPerson,
  entity: Entity,
  sent: readonly Sent[],
): Promise<string | undefined> {
  if (!isRelayable(entity)) return "only relayables are relayed";
  const rootAuthor = file.known_entities.find(
    ({ guid }) => guid === entity.parentGuid,
  )?.root_author;
  if (rootAuthor === undefined) return "its parent is not in the file";
  const toWitness = sent.filter(({ url }) => url.startsWith(serverOf(witness)));
  for (const message of toWitness) {
    const relayed = await readSent(file, witness, message);
    if (!isCopyOf(relayed.entity, entity)) continue;
    return differs("relayed by", rootAuthor, [relayed.sender]);
  }
  return `not relayed: ${toWitness.length} other messages were sent`;
}

async function readSent(
  file: VectorFile,
  witness: VectorPerson,
  { url, body }: Sent,
): Promise<{ sender: string; entity: Entity }> {
  const isPublic = url === `${serverOf(witness)}receive/public`;
  const envelope = parseEnvelope(
    isPublic ? body : await decryptEnvelope(body, privateKey(witness)),
  );
  const key = personOf(file, envelope.claimedSender).public_key_pem;
  const { sender, payloadXml } = await verifyEnvelope(envelope, key);
  return { sender, entity: parseEntity(payloadXml) };
}

/** The same properties with the same values in the same order, with the same signature. */
function isCopyOf(relayed: Entity, original: Relayable): boolean {
  return (
    relayed.type === original.type &&
    JSON.stringify(relayed.signed) === JSON.stringify(original.signed)
  );
}
