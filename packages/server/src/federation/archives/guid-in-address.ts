/**
 * Friendica names so what it gets over diaspora*, and what its own people write; servers of Kith,
 * also this one, name their objects by the second form.
 */
const NAMED_BY_GUID =
  /^https?:\/\/[^/?#]+\/(?:objects|api\/v1\/ap\/object)\/([\w\-@.:]{16,255})$/;

/** The Guid at the end of an address, by which a thing may be known that has no such URI here. */
export function guidInAddress(
  address: string,
): { readonly guid: string } | undefined {
  const [, guid] = NAMED_BY_GUID.exec(address) ?? [];
  return guid === undefined ? undefined : { guid };
}
