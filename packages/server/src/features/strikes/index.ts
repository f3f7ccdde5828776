import type { Db, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { PersonId } from "../ids.ts";
import type { Page } from "../page.ts";
import { createAppealTokens } from "./appeal-tokens.ts";
import { notifyPerson, type NotifyPersonDeps } from "./notify-person.ts";
import {
  countOpenAppeals,
  findStanding,
  findStrike,
  listAppealed,
  listStrikesByGuid,
  listStrikesOf,
  type AppealState,
} from "./strike-queries.ts";
import {
  decideAppeal,
  deleteSomeStrikesOf,
  endStrike,
  endStrikes,
  insertStrike,
  saveAppeal,
  updateMessage,
} from "./strike-store.ts";
import {
  canAppeal,
  MAX_APPEAL_LENGTH,
  MAX_EXCERPT_LENGTH,
  MAX_MESSAGE_LENGTH,
  type Strike,
  type StrikeAction,
} from "./strike.ts";

export { createNotifyOfStrike, NOTIFY_OF_STRIKE } from "./notify-person.ts";
export {
  appealableUntil,
  canAppeal,
  MAX_APPEAL_LENGTH,
  MAX_MESSAGE_LENGTH,
  type Appeal,
  type Strike,
  type StrikeAction,
} from "./strike.ts";

type StrikesDeps = NotifyPersonDeps & {
  readonly db: Db;
  readonly clock: Clock;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** Tells moderators of a new appeal. */
  readonly notifyStaff: (tx: Tx) => Promise<void>;
};

/** The people whom decisions concern read them, and appeal once against each. */
export type Strikes = ReturnType<typeof createStrikes>;

export function createStrikes(deps: StrikesDeps) {
  const { db, clock } = deps;
  const now = () => timestamp(clock.now());
  return {
    /** Records a decision about a person here, and notifies it, within the decision. */
    record: async (tx: Tx, decided: NewStrike): Promise<void> => {
      const { personId, action, excerpt } = decided;
      const id = await insertStrike(tx, {
        ...{ guid: newGuid(), personId, action },
        message: decided.message ?? "",
        excerpt:
          excerpt === undefined
            ? null
            : [...excerpt].slice(0, MAX_EXCERPT_LENGTH).join(""),
        createdAt: now(),
      });
      await notifyPerson(deps, tx, { id, personId }, "strike");
    },
    /** Changes the words of the decision in force. @returns false if they were the same */
    reword: async (
      tx: Tx,
      personId: PersonId,
      action: StrikeAction,
      message: string,
    ): Promise<boolean> => {
      const strike = await findStanding(tx, personId, action);
      if (!strike || strike.message === message) return false;
      await updateMessage(tx, strike.id, message);
      return true;
    },
    /** Takes back the decisions in force of an action: open appeals against them succeed. */
    end: async (
      tx: Tx,
      personId: PersonId,
      action: StrikeAction,
    ): Promise<void> => {
      for (const id of await endStrikes(tx, personId, action, now()))
        if (await decideAppeal(tx, id, true, now()))
          await notifyPerson(deps, tx, { id, personId }, "appeal_accepted");
    },
    /**
     * Decides an open appeal, and ends what it succeeds against. The caller undoes the decision.
     * @throws {KithError} `conflict` if it was decided already
     */
    settle: async (
      tx: Tx,
      strike: Strike,
      accepted: boolean,
    ): Promise<void> => {
      const { id } = strike;
      if (!(await decideAppeal(tx, id, accepted, now())))
        throw new KithError("conflict", "This appeal was decided already.");
      if (accepted) await endStrike(tx, id, now());
      const kind = accepted ? "appeal_accepted" : "appeal_rejected";
      await notifyPerson(deps, tx, strike, kind);
    },
    /** Of the person alone. @throws {KithError} see `appeal` */
    appeal: (by: { readonly personId: PersonId }, id: number, text: string) =>
      appeal(deps, by.personId, id, text),
    /** The strikes of a person, newest first: for the person and moderators. */
    listOf: (personId: PersonId, page: Page) =>
      listStrikesOf(db.read, personId, page),
    /** @throws {KithError} `not_found`, also for those of others */
    get: async (personId: PersonId, id: number): Promise<Strike> => {
      const strike = await findStrike(db.read, id);
      if (strike?.personId !== personId)
        throw new KithError("not_found", "There is no such decision.");
      return strike;
    },
    listByGuid: (personId: PersonId, guids: readonly string[]) =>
      listStrikesByGuid(db.read, personId, guids),
    /** For moderators alone. */
    appeals: {
      find: async (id: number, tx?: Tx): Promise<Strike | undefined> => {
        const strike = await findStrike(tx ?? db.read, id);
        return strike?.appeal ? strike : undefined;
      },
      list: (state: AppealState, page: Page) =>
        listAppealed(db.read, state, page),
      countOpen: () => countOpenAppeals(db.read),
    },
    /** The proofs of suspended people, who have no session. */
    tokens: createAppealTokens(deps.secretKey, clock),
    /** Deletes strikes of a deleted account. @returns true if more are left */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeStrikesOf(tx, personId, limit)) > 0,
      ),
  };
}

type NewStrike = {
  readonly personId: PersonId;
  readonly action: StrikeAction;
  /** As `checkMessage` gives it. */
  readonly message?: string | undefined;
  /** The removed text. */
  readonly excerpt?: string;
};

/**
 * The words for the person, as moderators typed them.
 * @throws {KithError} `bad_request` if they are too long
 */
export function checkMessage(typed: string): string {
  const message = storableText(typed).trim();
  if ([...message].length > MAX_MESSAGE_LENGTH)
    throw new KithError(
      "bad_request",
      `The parameter message must have at most ${MAX_MESSAGE_LENGTH} characters.`,
    );
  return message;
}

/**
 * @throws {KithError} `not_found` for a decision about somebody else, `empty_string` or
 *   `bad_request` for a text that is blank or too long, `conflict` for a second appeal, after
 *   the term, and against what was taken back
 */
async function appeal(
  { db, clock, notifyStaff }: StrikesDeps,
  personId: PersonId,
  id: number,
  typed: string,
): Promise<Strike> {
  const text = storableText(typed).trim();
  if (text === "")
    throw new KithError("empty_string", "The appeal must not be blank.");
  if ([...text].length > MAX_APPEAL_LENGTH)
    throw new KithError(
      "bad_request",
      `The parameter text must have at most ${MAX_APPEAL_LENGTH} characters.`,
    );
  return db.transaction(async (tx) => {
    const strike = await findStrike(tx, id);
    if (strike?.personId !== personId)
      throw new KithError("not_found", "There is no such decision.");
    const now = clock.now();
    const isMade =
      canAppeal(strike, now) &&
      (await saveAppeal(tx, id, text, timestamp(now)));
    if (!isMade)
      throw new KithError(
        "conflict",
        "This decision cannot be appealed: it was already, or is too old, or was taken back.",
      );
    await notifyStaff(tx);
    return (await findStrike(tx, id)) ?? strike;
  });
}
