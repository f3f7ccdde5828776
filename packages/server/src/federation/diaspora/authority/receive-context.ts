import type { Reader } from "../../../db/db.ts";
import type { PersonId, UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import { isOnHostOf } from "../../remote-people/proven-origins.ts";
import type { Received } from "../../../features/posts/index.ts";
import type { Missing } from "../../../jobs/job.ts";
import { receivedTimestamp, type Timestamp } from "../../../lib/time/clock.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import type { DiasporaDeps } from "../deps.ts";
import type { PublicKeys } from "./public-keys.ts";
import { hostOf } from "../render/wire-values.ts";

/** How an entity arrived. */
export type Arrival = {
  /** The signer of the envelope, authenticated. */
  readonly sender: Person;
  /** The local person whose own endpoint received it; null if it is public. */
  readonly owner: Person | null;
  /** 0 for a received entity, one more for each fetch that led to it. */
  readonly depth: number;
  /** As it was signed, if it was received. */
  readonly envelope?: string;
  /** The cause of a fetch. */
  readonly cause?: Cause;
};

/**
 * Why something is fetched: a local user asked for it, or a message referred to
 * it.
 */
export type Cause = {
  readonly userId: UserId | null;
  readonly personId: PersonId | null;
};

/** A missing object, and a person whose server may have it. */
export type Wanted = {
  /** A poll comes with its post. */
  readonly type: "post" | "comment" | "poll";
  readonly guid: string;
  readonly from: Person;
  /** Of the entity that refers to it. */
  readonly depth: number;
  readonly cause: Cause;
  /** The required author, if known. */
  readonly author?: string;
};

/**
 * Fetches and processes a public object. The caller checks whether it is stored
 * now.
 */
export type FetchRemote = (wanted: Wanted) => Promise<void>;

/**
 * Fetches and processes a public post shown on a page. @returns the handle of
 * its author, if it came
 */
export type FetchShown = (
  shown: Pick<Wanted, "guid" | "cause"> & { readonly origin: string },
) => Promise<string | undefined>;

export type ReceiveContext = DiasporaDeps & {
  readonly keys: PublicKeys;
  readonly fetchRemote: FetchRemote;
  readonly fetchShown: FetchShown;
};

/** A fetch because of a message has the same cause as the message. */
export function causeOf({ cause, sender }: Arrival): Cause {
  return cause ?? { userId: null, personId: sender.id };
}

export function refused(reason: string): InboundResult {
  return done(`refused: ${reason}`);
}

/** The time of the edit according to the author; never in the future. */
export function readEditedAt(
  { clock }: Pick<DiasporaDeps, "clock">,
  editedAt: string | undefined,
): Timestamp | undefined {
  return editedAt === undefined
    ? undefined
    : receivedTimestamp(editedAt, clock.now());
}

/**
 * Resolves a guid for diaspora*. A remote person without a diaspora* key only
 * claims a guid: it is reassigned to an author who signs under it.
 */
export async function unlessClaimed<T extends { readonly personId: PersonId }>(
  { people }: Pick<DiasporaDeps, "people">,
  thing: T | undefined,
  reader?: Reader,
): Promise<T | undefined> {
  const author = thing && (await people.find({ id: thing.personId }, reader));
  const isSigned = author?.userId != null || author?.hasDiasporaKey === true;
  return isSigned ? thing : undefined;
}

/**
 * Is the sender below the limit of strangers? Fetched objects do not count,
 * since local users asked for them.
 */
export async function isAdmitted(
  { strangers }: Pick<DiasporaDeps, "strangers">,
  { sender, depth }: Arrival,
): Promise<boolean> {
  return depth > 0 || strangers.admit(sender);
}

export const REFUSED_OVER_QUOTA = refused(
  "too much by whom nobody here follows",
);

export function wait(reason: string, missing: Missing): InboundResult {
  return { kind: "wait", reason, missing };
}

/** Waits until a person is known with the diaspora* key. */
export function waitForPerson(
  { people }: Pick<DiasporaDeps, "people">,
  handle: string,
  reason: string,
): InboundResult {
  return wait(reason, {
    name: handle,
    isHere: async (reader) =>
      (await people.find({ handle }, reader))?.hasDiasporaKey === true,
  });
}

/** The ActivityPub id that an entity claims. */
type Claimed = { readonly activitypubId?: string };

/**
 * The ActivityPub id that a person gives to an own object, on servers that
 * speak both protocols. A server is trusted for ids on the host of its handles.
 * Otherwise the object itself must name the author's actor: a trusted id would
 * replace the object that really has it.
 */
export async function findOwnUri(
  { isAuthorOf }: Pick<DiasporaDeps, "isAuthorOf">,
  entity: Claimed,
  author: Person,
): Promise<string | null> {
  const uri = readHttpUrl(entity);
  if (uri === undefined) return null;
  if (isOnHostOf(author.handle, uri)) return uri;
  const actorUri = findActorBeside(uri, author);
  const isConfirmed =
    actorUri !== undefined && (await isAuthorOf(uri, actorUri));
  return isConfirmed ? uri : null;
}

/** Does the id have to be confirmed by another server? */
export function needsConfirmation(entity: Claimed, author: Person): boolean {
  const uri = readHttpUrl(entity);
  if (uri === undefined || isOnHostOf(author.handle, uri)) return false;
  return findActorBeside(uri, author) !== undefined;
}

/** The author's actor, if it is on the server of this URL. */
function findActorBeside(
  uri: string,
  { addresses: { actorUri } }: Person,
): string | undefined {
  const isBeside =
    actorUri !== null && new URL(actorUri).origin === new URL(uri).origin;
  return isBeside ? actorUri : undefined;
}

function readHttpUrl({ activitypubId }: Claimed): string | undefined {
  const url = URL.parse(activitypubId ?? "");
  return url !== null && /^https?:$/.test(url.protocol)
    ? activitypubId
    : undefined;
}

/** The result of storing something. */
export function resultOf(received: Received<unknown>): InboundResult {
  return received.kind === "refused"
    ? refused(received.reason)
    : done(received.kind);
}

/**
 * Finds a person by handle, on the network if necessary: also if the person is
 * known without a diaspora* key. Never an unknown local one.
 * @param source host of the sender whose message names the person
 */
export async function findOrDiscover(
  { people, discover, handleHost }: DiasporaDeps,
  handle: string,
  source: string,
): Promise<Person | undefined> {
  const known = await people.find({ handle });
  if (known?.hasDiasporaKey || hostOf(handle) === handleHost) return known;
  const found = await discover(handle, source);
  // The person must have this very handle, not be an alias of it.
  return found?.handle === handle ? found : known;
}
