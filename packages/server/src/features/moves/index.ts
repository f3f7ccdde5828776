import type { Db, Reader, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import type { Accounts } from "../accounts/index.ts";
import type { PersonId } from "../ids.ts";
import type { People, Person } from "../people/index.ts";
import { enqueueMove } from "./move-job.ts";
import {
  deleteMoveDocument,
  findMoveDocument,
  insertMoveDocument,
  type MoveDocument,
} from "./move-store.ts";

export {
  createMoveJob,
  MOVE,
  type MoveInProgress,
  type MovingStep,
} from "./move-job.ts";
export { OWNED_TABLES, type MoveDocument } from "./move-store.ts";
export { createMovingSteps, type MovingStepsDeps } from "./steps.ts";

export type MovesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly accounts: Accounts;
  readonly people: People;
};

/** A person's move to another person. The caller has verified that both agree to it. */
export type NewMove = {
  readonly from: PersonId;
  readonly to: PersonId;
  /**
   * The signed announcement of a move with all content, which closes the old person
   * (diaspora*). Absent if only the followers move (ActivityPub).
   */
  readonly document?: MoveDocument;
  /** The new folder of the person's photos, with a trailing slash. */
  readonly photoPath?: string;
  /** The ActivityPub actor of the old person, to be added to the aliases of the new one. */
  readonly alias?: string | undefined;
  /** The new person's document, just fetched, shows that the person has not moved on. */
  readonly hasReturned?: boolean;
};

export type MoveOutcome =
  | { readonly kind: "moved" | "known" }
  | { readonly kind: "refused"; readonly reason: string };

/** The cool-down between two moves over ActivityPub, as on other servers. */
export const COOL_DOWN_MS = 7 * 24 * 3_600_000;

/** Moves of people: from this server, to it, or between remote servers. */
export type Moves = ReturnType<typeof createMoves>;

export function createMoves(deps: MovesDeps) {
  const { db, people } = deps;
  return {
    /** Marks the old person as moved and enqueues the rest. Idempotent. */
    start: (move: NewMove): Promise<MoveOutcome> =>
      db.transaction((tx) => startMove(deps, tx, move)),
    /** The outcome that `start` would have, which changes nothing. */
    preview: (move: NewMove): Promise<MoveOutcome> =>
      decide(deps, db.read, move).then(({ outcome }) => outcome),
    /** The document that announced a move with all content. */
    findDocument: (personId: PersonId) => findMoveDocument(db.read, personId),
    /**
     * Removes the moves from and to a deleted person. Leaves those of a person who has
     * moved with all content.
     */
    forgetUnlessMoved: (personId: PersonId): Promise<void> =>
      db.transaction(async (tx) => {
        const person = await people.find({ id: personId }, tx);
        const document = await findMoveDocument(tx, personId);
        if (person?.movedToId != null && document) return;
        await people.forgetMovesTo(tx, personId);
        await deleteMoveDocument(tx, personId);
        if (person?.movedToId != null)
          await people.markMoved(tx, personId, null);
      }),
  };
}

async function startMove(
  deps: MovesDeps,
  tx: Tx,
  move: NewMove,
): Promise<MoveOutcome> {
  const { db, clock, jobs, accounts, people } = deps;
  const { document, photoPath = null, alias } = move;
  // Serialized, or two people who move to each other would both be accepted.
  await lockKey(tx, db.dialect, "moves");
  const { outcome, from, to } = await decide(deps, tx, move);
  if (outcome.kind !== "moved" || !from || !to) return outcome;
  if (to.movedToId !== null) await people.markMoved(tx, to.id, null);
  await people.markMoved(tx, from.id, to.id);
  if (alias !== undefined && !to.alsoKnownAs.includes(alias))
    await people.setAliases(to.id, [...to.alsoKnownAs, alias], tx);
  if (document) {
    const now = timestamp(clock.now());
    await insertMoveDocument(tx, from.id, document, now);
    await people.close(tx, from.id);
    if (from.userId !== null) await accounts.closeMoved(tx, from.userId);
  }
  const withContent = document !== undefined;
  const payload = { personId: from.id, withContent, photoPath };
  await enqueueMove(jobs, tx, payload);
  return { kind: "moved" };
}

async function decide(
  { clock, people }: Pick<MovesDeps, "clock" | "people">,
  reader: Reader,
  move: NewMove,
): Promise<{
  readonly outcome: MoveOutcome;
  readonly from?: Person;
  readonly to?: Person;
}> {
  const from = await people.find({ id: move.from }, reader);
  const to = await people.find({ id: move.to }, reader);
  if (!from || !to) return { outcome: refused("nobody of that name") };
  const isWhole = (await findMoveDocument(reader, from.id)) !== undefined;
  if (from.movedToId === to.id && (isWhole || !move.document))
    return { outcome: { kind: "known" }, from, to };
  const refusal = refuse(from, to, move, timestamp(clock.now()));
  const outcome: MoveOutcome =
    refusal === undefined ? { kind: "moved" } : refused(refusal);
  return { outcome, from, to };
}

function refuse(
  from: Person,
  to: Person,
  { document, hasReturned = false }: NewMove,
  now: Timestamp,
): string | undefined {
  if (from.id === to.id) return "it is the same person";
  if (from.state !== "active") return "the old account is gone";
  if (to.state !== "active") return "the new account is gone";
  if (to.movedToId !== null && !hasReturned)
    return "the new account has moved itself";
  if (from.movedToId === null || from.movedToId === to.id) return undefined;
  // A stolen old key must not redirect the followers a second time.
  if (document) return "it has moved to somebody else before";
  const since = Date.parse(now) - Date.parse(from.movedAt ?? now);
  return since < COOL_DOWN_MS ? "it has moved a short time ago" : undefined;
}

function refused(reason: string): MoveOutcome {
  return { kind: "refused", reason };
}
