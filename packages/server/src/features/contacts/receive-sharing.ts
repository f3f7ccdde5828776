import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { Facts } from "../facts.ts";
import type { PersonId, UserId } from "../ids.ts";
import { hasUserBlocked } from "../visibility/index.ts";
import { findContact, saveSharing } from "./contact-store.ts";
import {
  deleteRequest,
  findRequest,
  hasRequests,
  insertRequest,
  isLocked,
  updateRequestUri,
} from "./follow-request-store.ts";
import { lockContactsOf } from "./lock-contacts.ts";

type AskDeps = { readonly clock: Clock; readonly facts: Facts };

/** A message of a person about following a local user. */
export type Sharing = {
  readonly userId: UserId;
  readonly personId: PersonId;
  readonly sharing: boolean;
  /** The id of the message that starts it, which the message that stops it refers to. */
  readonly uri: string | null;
};

/**
 * `pending`: the user approves each follower. `refused`: the user has blocked the person, or
 * has too many requests.
 */
export type SharingOutcome = "taken" | "pending" | "refused";

/**
 * Requests that one user can have from other servers. They have no limit of their own: a
 * server can make up any number of people.
 */
export const MAX_REQUESTS = 1_000;

/** Records that a remote person starts or stops sharing with a local user, or asks to. */
export async function receiveSharing(
  deps: AskDeps & { readonly db: Db },
  said: Sharing,
): Promise<SharingOutcome> {
  const { userId, personId, sharing } = said;
  return deps.db.transaction(async (tx) => {
    await lockContactsOf(deps.db, tx, [userId]);
    if (!sharing) await deleteRequest(tx, userId, personId);
    else if (await hasUserBlocked(tx, userId, personId)) return "refused";
    const isFollower = (await findContact(tx, userId, personId))?.sharing;
    if (sharing && !isFollower && (await isLocked(tx, userId)))
      return ask(deps, tx, said);
    await takeOver(deps, tx, said);
    return "taken";
  });
}

async function ask(
  deps: AskDeps,
  tx: Tx,
  { userId, personId, uri }: Sharing,
): Promise<SharingOutcome> {
  const known = await findRequest(tx, userId, personId);
  if (!known && (await hasRequests(tx, userId, MAX_REQUESTS))) return "refused";
  await askToFollow(deps, tx, userId, { personId, uri });
  return "pending";
}

/** Records a request and notifies the user of it; repeated, it only keeps the newer id. */
export async function askToFollow(
  { clock, facts }: AskDeps,
  tx: Tx,
  userId: UserId,
  {
    personId,
    uri,
  }: { readonly personId: PersonId; readonly uri: string | null },
): Promise<void> {
  const known = await findRequest(tx, userId, personId);
  if (known) {
    if (uri !== null && uri !== known.uri)
      await updateRequestUri(tx, userId, personId, uri);
    return;
  }
  const createdAt = timestamp(clock.now());
  await insertRequest(tx, userId, { personId, uri, createdAt });
  await facts.record(tx, { type: "follow.requested", userId, by: personId });
}

async function takeOver(
  { clock, facts }: AskDeps,
  tx: Tx,
  { userId, personId, sharing, uri }: Sharing,
): Promise<void> {
  // The user may have stopped approving followers.
  if (sharing) await deleteRequest(tx, userId, personId);
  const known = await findContact(tx, userId, personId);
  const isChange = (known?.sharing ?? false) !== sharing;
  // A repeated message may have a newer id, or none.
  const sharingUri = sharing ? (uri ?? known?.sharingUri ?? null) : null;
  if (!isChange && (known?.sharingUri ?? null) === sharingUri) return;
  const now = timestamp(clock.now());
  await saveSharing(tx, userId, personId, sharing, now, sharingUri);
  if (isChange && sharing)
    await facts.record(tx, { type: "sharing.started", userId, by: personId });
}
