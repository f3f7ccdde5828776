import type { RemoteActor } from "@kith/activitypub";
import type { Protocol } from "../../db/schema/remote-person.ts";
import type { Person } from "../../features/people/index.ts";
import type { DiscoveredPerson } from "../remote-people/store-remote-person.ts";
import { messageOf } from "../../lib/errors.ts";
import { FetchRefused } from "../../lib/http-client/guarded-fetch.ts";
import { formatHandle, parseHandle, type Handle } from "../../lib/handle.ts";
import type { DiscoveryDeps } from "./deps.ts";
import { HostFailed, isOwnFailure } from "./host-failed.ts";
import { isSamePerson } from "./pinned.ts";
import { fromActor, type DiscoveredPart } from "./read-activitypub.ts";
import { fetchDiasporaPart, SpeaksNoDiaspora } from "./read-diaspora.ts";
import { lookUpWebfinger, type WebfingerAnswer } from "./webfinger.ts";

/** One look-up, which caches its requests. */
type LookUp = Omit<DiscoveryDeps, "fetchActor"> & {
  readonly fetchActor: DiscoveryDeps["fetchActor"];
  readonly finger: (handle: Handle) => Promise<WebfingerAnswer | undefined>;
};

/**
 * The result of one protocol. `ended`: there is no link to it, or its target is
 * gone. `silent`: no conclusive answer; that may be temporary, and does not
 * affect earlier results. `withdrawn`: handle and actor no longer confirm each
 * other.
 */
type ProtocolResult =
  | { readonly kind: "found"; readonly part: DiscoveredPart }
  | { readonly kind: "ended" | "silent" | "withdrawn" };

const ENDED: ProtocolResult = { kind: "ended" };
const SILENT: ProtocolResult = { kind: "silent" };

/**
 * @param actor the document, if it has just been fetched from its own id
 * @throws {FetchRefused} if a server did not answer
 */
export async function discoverActor(
  deps: DiscoveryDeps,
  uri: string,
  actor?: RemoteActor,
): Promise<Person | undefined> {
  const look = startLookUp(deps, actor?.id === uri ? actor : undefined);
  const found = await look.fetchActor(uri);
  if (!found || found === "gone") return undefined;
  const claimed = claimedHandle(found);
  const fingered = claimed && (await look.finger(claimed));
  if (!fingered) return undefined;
  const person = await lookUpHandle(look, fingered.subject);
  return person?.addresses.actorUri === uri ? person : undefined;
}

export function discoverHandle(
  deps: DiscoveryDeps,
  asked: Handle,
): Promise<Person | undefined> {
  return lookUpHandle(startLookUp(deps), asked);
}

function startLookUp(deps: DiscoveryDeps, actor?: RemoteActor): LookUp {
  const actors = new Map<string, ReturnType<DiscoveryDeps["fetchActor"]>>();
  if (actor) actors.set(actor.id, Promise.resolve(actor));
  const fingered = new Map<string, ReturnType<typeof lookUpWebfinger>>();
  return {
    ...deps,
    fetchActor: (uri) => askOnce(actors, uri, () => deps.fetchActor(uri)),
    finger: (handle) =>
      askOnce(fingered, formatHandle(handle), () =>
        lookUpWebfinger(deps.fetch, handle),
      ),
  };
}

function askOnce<T>(
  answers: Map<string, Promise<T>>,
  key: string,
  ask: () => Promise<T>,
): Promise<T> {
  const answer = answers.get(key) ?? ask();
  answers.set(key, answer);
  return answer;
}

async function lookUpHandle(
  look: LookUp,
  asked: Handle,
): Promise<Person | undefined> {
  const fingered = await lookUpSubject(look, asked);
  if (!fingered || fingered.subject.host === look.handleHost) return undefined;
  const activityPub = await askActivityPub(look, fingered);
  const handle = formatHandle(fingered.subject);
  const known = await look.people.find({ handle });
  const diaspora = await askDiaspora(look, fingered, handle);
  const results = [
    ["activitypub", activityPub],
    ["diaspora", diaspora],
  ] as const;
  const merged = merge(
    handle,
    results.flatMap(([protocol, { kind, ...rest }]) =>
      kind === "found" && "part" in rest ? [[protocol, rest.part]] : [],
    ),
  );
  const isActorWithdrawn =
    activityPub.kind === "withdrawn" ||
    (activityPub.kind !== "found" && namesOtherActor(look, known, fingered));
  const silent = results
    .filter(([, { kind }]) => kind === "silent")
    .map(([protocol]) => protocol);
  const found = merged && { ...merged, isActorWithdrawn, silent };
  return found && look.remotePeople.store(found);
}

/**
 * Follows one change of subject: the host of a handle may not be the server's.
 */
async function lookUpSubject(
  look: LookUp,
  asked: Handle,
): Promise<WebfingerAnswer | undefined> {
  const first = await look.finger(asked).catch((error: unknown) => {
    throw error instanceof FetchRefused ? new HostFailed(asked, error) : error;
  });
  if (!first || isSame(first.subject, asked)) return first;
  const second = await look.finger(first.subject);
  return second && isSame(second.subject, first.subject) ? second : undefined;
}

/**
 * Only the handle's host says so; the actor that it names is unavailable, and
 * not trusted either.
 */
function namesOtherActor(
  { protocols }: LookUp,
  known: Person | undefined,
  { actorUri }: WebfingerAnswer,
): boolean {
  const stored = known?.addresses.actorUri ?? null;
  return protocols.activitypub && stored !== null && stored !== actorUri;
}

async function askActivityPub(
  look: LookUp,
  { actorUri, subject }: WebfingerAnswer,
): Promise<ProtocolResult> {
  if (!look.protocols.activitypub || actorUri === undefined) return ENDED;
  try {
    const actor = await look.fetchActor(actorUri);
    if (actor === "gone") return ENDED;
    return actor ? await confirmActor(look, actor, subject) : SILENT;
  } catch (error) {
    if (isOwnFailure(error)) throw error;
    look.log.debug({ error: messageOf(error) }, "No actor could be fetched");
    return SILENT;
  }
}

/**
 * Any host can claim an actor for its handle; the actor's host must confirm it.
 */
async function confirmActor(
  look: LookUp,
  actor: RemoteActor,
  subject: Handle,
): Promise<ProtocolResult> {
  const claimed = claimedHandle(actor);
  if (!claimed) return SILENT;
  if (!isSame(claimed, subject)) {
    const back = await look.finger(claimed);
    if (!back) return SILENT;
    if (!isSame(back.subject, subject) || back.actorUri !== actor.id)
      return { kind: "withdrawn" };
  }
  return { kind: "found", part: fromActor(actor) };
}

/** The handle that an actor's own host gives it. */
function claimedHandle(actor: RemoteActor): Handle | undefined {
  return parseHandle(`${actor.preferredUsername}@${new URL(actor.id).host}`);
}

async function askDiaspora(
  { protocols, fetch, log, people }: LookUp,
  fingered: WebfingerAnswer,
  handle: string,
): Promise<ProtocolResult> {
  if (!protocols.diaspora) return ENDED;
  try {
    const part = await fetchDiasporaPart(fetch, fingered);
    const known = await people.find({ handle });
    const isFit = !known || isSamePerson(log, known, part);
    return isFit ? { kind: "found", part } : ENDED;
  } catch (error) {
    if (isOwnFailure(error)) throw error;
    log.debug(
      { error: messageOf(error) },
      "No diaspora* profile could be fetched",
    );
    return error instanceof SpeaksNoDiaspora ? ENDED : SILENT;
  }
}

/** Merges the results of both protocols, of which ActivityPub is preferred. */
function merge(
  handle: string,
  found: readonly (readonly [Protocol, DiscoveredPart])[],
): DiscoveredPerson | undefined {
  const [first, ...others] = found;
  if (!first) return undefined;
  let part = first[1];
  for (const [, other] of others)
    part = {
      ...part,
      ...other,
      keys: [...part.keys, ...other.keys],
      addresses: {
        ...part.addresses,
        seedLocation: other.addresses.seedLocation,
      },
      profile: { ...part.profile, ...other.profile },
    };
  const protocols: [Protocol, ...Protocol[]] = [
    first[0],
    ...others.map(([protocol]) => protocol),
  ];
  return { handle, protocols, ...part };
}

function isSame(a: Handle, b: Handle): boolean {
  return a.name === b.name && a.host === b.host;
}
