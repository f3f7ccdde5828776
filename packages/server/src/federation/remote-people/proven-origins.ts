import type { Addresses, Sites } from "../../db/schema/remote-person.ts";
import type { Person } from "../../features/people/index.ts";

type Located = {
  readonly handle: string;
  readonly addresses: Sites;
};

/**
 * The origin of a person's diaspora* server; undefined where it is only claimed. The handle's host
 * alone names the seed location, and could name any server: so it counts only on that host, or on
 * the actor's origin, which discovery confirms with both hosts.
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

/** The seed location as its server states it, with its path. */
export function findProvenSeed(person: Located): string | undefined {
  return findProvenSeedOrigin(person) === undefined
    ? undefined
    : (person.addresses.seedLocation ?? undefined);
}

/**
 * The origin of a person's diaspora* server where that is the host of the handle. Only then may a
 * statement about a whole server be trusted: an actor's origin is shared with other people, and
 * their server did not confirm that it serves the actor over diaspora*, too.
 */
export function findOwnSeedOrigin({
  handle,
  addresses: { seedLocation },
}: Located): string | undefined {
  return seedLocation !== null && isOnHostOf(handle, seedLocation)
    ? new URL(seedLocation).origin
    : undefined;
}

/**
 * The profile page of a person on its own server: on the host of the handle, or of the actor, which
 * confirms the handle.
 */
export function findProfileUrl({
  handle,
  addresses: { actorUri, profileUrl },
}: Located & {
  readonly addresses: Pick<Addresses, "profileUrl">;
}): string | null {
  const host = URL.parse(profileUrl ?? "")?.host;
  if (profileUrl === null || host === undefined) return null;
  const isBesideActor = actorUri !== null && new URL(actorUri).host === host;
  return isBesideActor || isOnHostOf(handle, profileUrl) ? profileUrl : null;
}

/**
 * Is a URL on the host of a handle? The port counts; the default one may be written out in either.
 */
export function isOnHostOf(handle: string, url: string): boolean {
  const { protocol, host } = new URL(url);
  const ofHandle = handle.slice(handle.lastIndexOf("@") + 1);
  return URL.parse(`${protocol}//${ofHandle}`)?.host === host;
}

/**
 * The Guid by which a person's own server knows it: in its addresses, and in messages from there.
 */
export function guidAtHome({
  guid,
  diasporaGuid,
}: Pick<Person, "guid" | "diasporaGuid">): string {
  return diasporaGuid ?? guid;
}

/**
 * The pages of a remote person on its own server, as far as they are proved; the likeliest first.
 */
export function listHomePages(person: Person): string[] {
  const page = findProfileUrl(person);
  const seed = findProvenSeed(person);
  return [
    ...(page === null ? [] : [page]),
    ...(seed === undefined ? [] : [`${seed}people/${guidAtHome(person)}`]),
  ];
}
