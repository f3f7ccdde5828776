import type { Person } from "./person.ts";

type Located = {
  readonly handle: string;
  readonly addresses: Pick<Person["addresses"], "actorUri" | "seedLocation">;
};

/**
 * The origins that provably belong to somebody's server. Discovery confirms an actor
 * with its own host and with the handle's host. The handle's host alone names the seed
 * location, and could name any server, so that counts only on the handle's host.
 */
export function listProvenOrigins({ handle, addresses }: Located): string[] {
  const { actorUri, seedLocation } = addresses;
  const origins = actorUri === null ? [] : [new URL(actorUri).origin];
  if (seedLocation !== null && isOnHostOf(handle, seedLocation))
    origins.push(new URL(seedLocation).origin);
  return origins;
}

/** The origin of somebody's diaspora* server; undefined where it is only claimed. */
export function findProvenSeedOrigin(person: Located): string | undefined {
  const { seedLocation } = person.addresses;
  if (seedLocation === null) return undefined;
  const { origin } = new URL(seedLocation);
  return listProvenOrigins(person).includes(origin) ? origin : undefined;
}

/** Is a URL on the host of a handle? With its port; the default one may be written out in either. */
export function isOnHostOf(handle: string, url: string): boolean {
  const { protocol, host } = new URL(url);
  const ofHandle = handle.slice(handle.lastIndexOf("@") + 1);
  return URL.parse(`${protocol}//${ofHandle}`)?.host === host;
}
