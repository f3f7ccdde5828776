import type { Person } from "./person.ts";

type Located = {
  readonly handle: string;
  readonly addresses: Pick<Person["addresses"], "actorUri" | "seedLocation">;
};

/**
 * The origin of somebody's diaspora* server; undefined where it is only claimed. The
 * handle's host alone names the seed location, and could name any server, so that it
 * counts on that host, or beside the actor, which discovery confirms with both hosts.
 */
export function findProvenSeedOrigin({
  handle,
  addresses,
}: Located): string | undefined {
  const { actorUri, seedLocation } = addresses;
  if (seedLocation === null) return undefined;
  const { origin } = new URL(seedLocation);
  const isBesideActor =
    actorUri !== null && new URL(actorUri).origin === origin;
  return isBesideActor || isOnHostOf(handle, seedLocation) ? origin : undefined;
}

/** Is a URL on the host of a handle? With its port; the default one may be written out in either. */
export function isOnHostOf(handle: string, url: string): boolean {
  const { protocol, host } = new URL(url);
  const ofHandle = handle.slice(handle.lastIndexOf("@") + 1);
  return URL.parse(`${protocol}//${ofHandle}`)?.host === host;
}
