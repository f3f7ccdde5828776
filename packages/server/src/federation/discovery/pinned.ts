import type { Person } from "../../features/people/index.ts";
import type { Log } from "../../observability/log.ts";
import type { DiscoveredPart } from "./read-activitypub.ts";

/**
 * The first diaspora* key and Guid of a handle stay (protocol section 19.5).
 * Where a server shows others, either it has lost its keys or somebody else
 * sits there now: only the operator can find out which, so it is told.
 * @returns whether what was found may be said of the person
 */
export function isSamePerson(
  log: Log,
  known: Person,
  { guid, publicKeyPem, addresses }: DiscoveredPart,
): boolean {
  // Of somebody met over ActivityPub alone, nothing is pinned yet.
  if (!known.hasDiasporaKey || publicKeyPem === undefined) return true;
  const isKeyOther = publicKeyPem.trim() !== known.publicKeyPem.trim();
  const isGuidOther = ![null, guid].includes(known.diasporaGuid);
  if (!isKeyOther && !isGuidOther) return true;
  const { handle } = known;
  const { seedLocation } = addresses;
  log.warn(
    { handle, differs: isKeyOther ? "key" : "guid", seedLocation },
    "A server shows another diaspora* key or Guid for somebody known: the first ones are kept",
  );
  return !isKeyOther;
}
