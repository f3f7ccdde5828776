import type { Person } from "../../features/people/index.ts";
import type { Log } from "../../observability/log.ts";
import type { DiscoveredPart } from "./read-activitypub.ts";

/**
 * The first diaspora* key and guid of a handle are pinned (protocol section
 * 19.5). A server with others has lost its keys, or the handle has a new owner:
 * only an operator can find out which, so a warning is logged.
 * @returns whether the result may update the person
 */
export function isSamePerson(
  log: Log,
  known: Person,
  { guid, publicKeyPem, addresses }: DiscoveredPart,
): boolean {
  // A person known over ActivityPub only has no pinned key yet.
  if (!known.hasDiasporaKey || publicKeyPem === undefined) return true;
  const isKeyOther = publicKeyPem.trim() !== known.publicKeyPem.trim();
  const isGuidOther = ![null, guid].includes(known.diasporaGuid);
  if (!isKeyOther && !isGuidOther) return true;
  const { handle } = known;
  const { seedLocation } = addresses;
  log.warn(
    { handle, differs: isKeyOther ? "key" : "guid", seedLocation },
    "A server presents another diaspora* key or guid for a known person: the first ones are kept",
  );
  return !isKeyOther;
}
