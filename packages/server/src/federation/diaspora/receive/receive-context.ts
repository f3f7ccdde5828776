import type { Reader } from "../../../db/db.ts";
import type { PersonId, UserId } from "../../../features/ids.ts";
import type { Person } from "../../../features/people/index.ts";
import { isOnHostOf } from "../../remote-people/proven-origins.ts";
import type { Received } from "../../../features/posts/index.ts";
import type { Missing } from "../../../jobs/job.ts";
import { receivedTimestamp, type Timestamp } from "../../../lib/time/clock.ts";
import { done, type InboundResult } from "../../inbound/inbound.ts";
import type { DiasporaDeps } from "../deps.ts";
import type { PublicKeys } from "../fetch/public-keys.ts";
import { hostOf } from "../render/wire-values.ts";

/** How an entity came to us. */
export type Arrival = {
  /** Who signed the envelope. Certain. */
  readonly sender: Person;
  /** The person here whose own endpoint it came to; null where it is for everyone. */
  readonly owner: Person | null;
  /** 0 for what was sent to us, one more for each fetch that led to it. */
  readonly depth: number;
  /** As it was signed, where it was sent to us. */
  readonly envelope?: string;
  /** Of what was fetched: why. */
  readonly cause?: Cause;
};

/** Why something is fetched: a user here asked for it, or somebody's message led to it. */
export type Cause = {
  readonly userId: UserId | null;
  readonly personId: PersonId | null;
};

/** Something that we lack, and somebody whose server may have it. */
export type Wanted = {
  readonly type: "post" | "comment";
  readonly guid: string;
  readonly from: Person;
  /** Of what it is wanted for. */
  readonly depth: number;
  readonly cause: Cause;
  /** Whose it must be, where that is known. */
  readonly author?: string;
};

/** Fetches and processes a public thing. Whether it is here now, the caller looks up. */
export type FetchRemote = (wanted: Wanted) => Promise<void>;

/** Fetches and processes a public post that a page shows. @returns the handle of its author, where it came */
export type FetchShown = (
  shown: Pick<Wanted, "guid" | "cause"> & { readonly origin: string },
) => Promise<string | undefined>;

export type ReceiveContext = DiasporaDeps & {
  readonly keys: PublicKeys;
  readonly fetchRemote: FetchRemote;
  readonly fetchShown: FetchShown;
};

/** What is fetched because of a message has the same cause as the message. */
export function causeOf({ cause, sender }: Arrival): Cause {
  return cause ?? { userId: null, personId: sender.id };
}

export function refused(reason: string): InboundResult {
  return done(`refused: ${reason}`);
}

/** When its author says that it was changed; never in the future. */
export function readEditedAt(
  { clock }: Pick<DiasporaDeps, "clock">,
  editedAt: string | undefined,
): Timestamp | undefined {
  return editedAt === undefined
    ? undefined
    : receivedTimestamp(editedAt, clock.now());
}

/**
 * What has a Guid as far as diaspora* goes. Somebody elsewhere without a diaspora* key
 * only claims the Guid: it is given up to whoever signs under it.
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

/** Is there room for one more thing of the sender's? Of what is fetched nobody chose the number but those who asked. */
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

/** Waits until somebody is known with the diaspora* key. */
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
 * The ActivityPub id that somebody gives a thing of its own, for servers that
 * speak both. A server speaks for ids on the host of its handles. Elsewhere the
 * object itself has to name the author's actor: an id that is believed takes the
 * place of the thing that really has it.
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

/** Is there an id that another server has to be asked about? */
export function needsConfirmation(entity: Claimed, author: Person): boolean {
  const uri = readHttpUrl(entity);
  if (uri === undefined || isOnHostOf(author.handle, uri)) return false;
  return findActorBeside(uri, author) !== undefined;
}

/** The author's actor, where it lives on the server of this URL. */
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

/** What came of storing something. */
export function resultOf(received: Received<unknown>): InboundResult {
  return received.kind === "refused"
    ? refused(received.reason)
    : done(received.kind);
}

/**
 * Somebody by handle, from the network where need be: also where we know the
 * person, but not its diaspora* key. Never somebody here whom we do not have.
 * @param source host of the one whose message names the person
 */
export async function findOrDiscover(
  { people, discover, handleHost }: DiasporaDeps,
  handle: string,
  source: string,
): Promise<Person | undefined> {
  const known = await people.find({ handle });
  if (known?.hasDiasporaKey || hostOf(handle) === handleHost) return known;
  const found = await discover(handle, source);
  // Who is signed for is the person of this handle, not one that it points to.
  return found?.handle === handle ? found : known;
}
