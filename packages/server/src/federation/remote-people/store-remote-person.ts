import type { Db, Tx } from "../../db/db.ts";
import { lockNames } from "../../db/lock-names.ts";
import {
  NO_ADDRESSES,
  type Addresses,
  type Protocol,
} from "../../db/schema/remote-person.ts";
import type { Facts } from "../../features/facts.ts";
import type { PersonId } from "../../features/ids.ts";
import {
  hostsOf,
  type ModerationState,
  type People,
  type Person,
  type ProfileChanges,
} from "../../features/people/index.ts";
import { newPersonGuid } from "../../lib/guids.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { chooseProtocol, isOpenChoice } from "./choose-protocol.ts";
import { replacePersonKeys } from "./remote-key-store.ts";
import {
  insertRemotePerson,
  pinDiasporaGuid,
  pinDiasporaKey,
  updateAddresses,
} from "./remote-person-store.ts";
import { freeGuid, takeOwnGuid } from "./take-guid.ts";

/** The result of discovering a remote person. */
export type DiscoveredPerson = {
  readonly handle: string;
  /**
   * The person's own Guid. With a diaspora* key it is confirmed. An actor only claims it: such a
   * Guid is reassigned to the person for whom a diaspora* server confirms it.
   */
  readonly guid?: string;
  /** The diaspora* key, according to the diaspora* side of the handle; absent where it has none. */
  readonly publicKeyPem?: string;
  /** ActivityPub keys by key id. */
  readonly keys: readonly { keyId: string; publicKeyPem: string }[];
  /** In order of preference; the first one is used. */
  readonly protocols: readonly [Protocol, ...Protocol[]];
  readonly addresses: Addresses;
  /** Protocols without an answer: the person may use them all the same. */
  readonly silent?: readonly Protocol[];
  /** Handle and actor do not confirm each other any more. */
  readonly isActorWithdrawn?: boolean;
  readonly profile: ProfileChanges;
};

export type StoreDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly facts: Facts;
  readonly people: Pick<People, "elsewhere" | "find">;
  /** The moderation state of these hosts, or of the hosts of these URLs. */
  readonly standingOn: (hosts: readonly string[]) => Promise<ModerationState>;
};

/** The parts of a profile that only actors have, empty where there is no actor. */
const OF_NO_ACTOR: ProfileChanges = {
  fields: [],
  emojis: [],
  headerUrl: "",
  locked: false,
  indexable: false,
  kind: "person",
};

/**
 * Stores a remote person. Of a known one only profile, addresses and ActivityPub keys change:
 * diaspora* key and Guid are pinned once their own side has confirmed them, and the protocol stays
 * unless it has ended, which a missing answer does not prove.
 * @returns undefined where handle or actor belong to another person, and where the server is
 * suspended
 */
export async function storeRemotePerson(
  deps: StoreDeps,
  found: DiscoveredPerson,
): Promise<Person | undefined> {
  const { db, clock, facts, people } = deps;
  if ((await deps.standingOn(hostsOf(found))).shutOut) return undefined;
  return db.transaction(async (tx) => {
    const now = timestamp(clock.now());
    // Several look-ups may find the same person at once, by handle and by actor.
    const names = [found.handle, found.guid ?? null];
    await lockNames(tx, db.dialect, names);
    const known =
      (await people.find({ handle: found.handle }, tx)) ??
      (await findRenamed(deps, tx, found));
    // A person who has left does not return under the same handle.
    if (known && (known.userId !== null || known.state !== "active"))
      return undefined;
    const id = known
      ? await refresh(deps, tx, known, found, now)
      : await create(deps, tx, found, now);
    if (id === undefined) return undefined;
    if (found.keys.length > 0 || found.isActorWithdrawn === true)
      await replacePersonKeys(tx, id, found.keys, now);
    // A diaspora* message cannot be verified before its sender's key is known.
    if (found.publicKeyPem !== undefined && known?.hasDiasporaKey !== true)
      await facts.noteArrival(tx, [found.handle]);
    return people.find({ id }, tx);
  });
}

/** The Guid from the diaspora* side; an actor may name any person's. */
function confirmedGuidOf({
  guid,
  publicKeyPem,
}: DiscoveredPerson): string | undefined {
  return publicKeyPem === undefined ? undefined : guid;
}

/**
 * Find the actor's person, where its server has renamed the handle. Over diaspora* the handle is
 * the identity, so a person with a diaspora* key keeps it.
 */
async function findRenamed(
  { people }: StoreDeps,
  tx: Tx,
  { addresses: { actorUri }, publicKeyPem }: DiscoveredPerson,
): Promise<Person | undefined> {
  if (actorUri === null || publicKeyPem !== undefined) return undefined;
  const known = await people.find({ uri: actorUri }, tx);
  return known?.hasDiasporaKey === false ? known : undefined;
}

async function create(
  deps: StoreDeps,
  tx: Tx,
  found: DiscoveredPerson,
  now: string,
): Promise<PersonId | undefined> {
  const person = {
    guid: await chooseGuid(deps, tx, found),
    handle: found.handle,
    // The diaspora* key where there is one, else an ActivityPub key.
    publicKeyPem: found.publicKeyPem ?? found.keys[0]?.publicKeyPem ?? "",
  };
  const { elsewhere } = deps.people;
  const { addresses, profile } = found;
  const personId = await elsewhere.create(
    tx,
    { ...person, addresses },
    profile,
  );
  if (personId === undefined) return undefined;
  const remote = {
    personId,
    hasDiasporaKey: found.publicKeyPem !== undefined,
    diasporaGuid: confirmedGuidOf(found) ?? null,
    protocol: found.protocols[0],
    isProtocolOpen: isOpenChoice(found),
    addresses,
  };
  if (await insertRemotePerson(tx, remote, now)) return personId;
  // A concurrent look-up has stored the same actor.
  await elsewhere.takeBack(tx, personId);
  return undefined;
}

/** Keep the person's own Guid if possible: programs recognise people across servers by it. */
async function chooseGuid(
  deps: StoreDeps,
  tx: Tx,
  found: DiscoveredPerson,
): Promise<string> {
  const { guid } = found;
  if (guid === undefined) return newPersonGuid();
  const isFree =
    confirmedGuidOf(found) === undefined
      ? (await deps.people.find({ guid }, tx)) === undefined
      : await freeGuid(deps, tx, guid);
  return isFree ? guid : newPersonGuid();
}

async function refresh(
  deps: StoreDeps,
  tx: Tx,
  known: Person,
  found: DiscoveredPerson,
  now: string,
): Promise<PersonId | undefined> {
  const { actorUri } = found.addresses;
  if (actorUri !== null) {
    const owner = await deps.people.find({ uri: actorUri }, tx);
    if (owner && owner.id !== known.id) return undefined;
  }
  const { handle } = found;
  if (known.handle !== handle)
    await deps.people.elsewhere.change(tx, known, { handle });
  const addresses = mergeAddresses(known.addresses, found);
  await updateAddresses(tx, known.id, addresses, now);
  await chooseProtocol(tx, known, found);
  await pinSide(deps, tx, known, found);
  const withdrawn = found.isActorWithdrawn === true ? OF_NO_ACTOR : {};
  const profile = { ...withdrawn, ...found.profile };
  const { id } = known;
  await deps.people.elsewhere.renew(tx, { ...found, id }, profile);
  return id;
}

/** The first confirmation from the diaspora* side stays. */
async function pinSide(
  deps: StoreDeps,
  tx: Tx,
  known: Person,
  found: DiscoveredPerson,
): Promise<void> {
  const { publicKeyPem } = found;
  if (publicKeyPem === undefined) return;
  const isOther =
    known.hasDiasporaKey && known.publicKeyPem.trim() !== publicKeyPem.trim();
  if (isOther) return;
  const guid = confirmedGuidOf(found);
  if (guid !== undefined) await pinDiasporaGuid(tx, known.id, guid);
  if (await pinDiasporaKey(tx, known.id))
    await deps.people.elsewhere.change(tx, known, { publicKeyPem });
  const diasporaGuid = known.diasporaGuid ?? guid ?? null;
  // Only the discovered Guid is locked.
  if (diasporaGuid === guid)
    await takeOwnGuid(deps, tx, { ...known, diasporaGuid });
}

/** A discovery over one protocol must not forget the addresses of the other. */
function mergeAddresses(
  stored: Addresses,
  { addresses: found, isActorWithdrawn = false }: DiscoveredPerson,
): Addresses {
  const { seedLocation } = stored;
  const known = isActorWithdrawn ? { ...NO_ADDRESSES, seedLocation } : stored;
  return {
    actorUri: found.actorUri ?? known.actorUri,
    inboxUri: found.inboxUri ?? known.inboxUri,
    sharedInboxUri: found.actorUri
      ? found.sharedInboxUri
      : known.sharedInboxUri,
    followersUri: found.followersUri ?? known.followersUri,
    seedLocation: found.seedLocation ?? known.seedLocation,
    profileUrl: found.profileUrl ?? known.profileUrl,
  };
}
