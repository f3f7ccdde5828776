import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Db, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";
import {
  deleteInterrupted,
  deleteOldSubmissions,
  deleteSomeSubmissionsOf,
  deleteSubmission,
  findSubmission,
  insertSubmission,
  updateResult,
} from "./submission-store.ts";

const NOTHING: NoteResult = async () => {};

const KEEP_MS = 3_600_000;
/** One that takes longer was interrupted: its process has ended. */
const UNDER_WAY_MS = 120_000;
/** How often, and how many times, another process is waited for. */
const WAIT_MS = 250;
const MAX_WAITS = 40;

/**
 * Notes the result in the transaction that makes it, so that a repetition finds it even if the
 * process ends before it answers.
 */
export type NoteResult = (tx: Tx, result: string) => Promise<void>;

/** @returns the result */
export type Submit = (note: NoteResult) => Promise<string>;

export type SubmissionsDeps = { readonly db: Db; readonly clock: Clock };

/**
 * Submissions of programs under keys of their own: a repetition within an hour gets the first
 * result and does nothing, also while the first is under way.
 */
export type Submissions = ReturnType<typeof createSubmissions>;

export function createSubmissions({ db, clock }: SubmissionsDeps) {
  const running = new Map<string, Promise<string>>();

  async function begin(userId: UserId, key: string): Promise<boolean> {
    const now = clock.now();
    return db.transaction(async (tx) => {
      await deleteOldSubmissions(tx, timestamp(later(now, -KEEP_MS)));
      const began = timestamp(later(now, -UNDER_WAY_MS));
      await deleteInterrupted(tx, userId, key, began);
      return insertSubmission(tx, userId, key, timestamp(now));
    });
  }

  async function run(
    userId: UserId,
    key: string,
    submit: Submit,
  ): Promise<string> {
    for (let waits = 0; waits < MAX_WAITS; waits += 1) {
      if (await begin(userId, key)) return perform(userId, key, submit);
      const found = await findSubmission(db.read, userId, key);
      if (found && found.result !== null) return found.result;
      // Another process is at it.
      await setTimeout(WAIT_MS);
    }
    throw new KithError("unavailable", "The same is still being submitted.");
  }

  async function perform(
    userId: UserId,
    key: string,
    submit: Submit,
  ): Promise<string> {
    try {
      const result = await submit((tx, value) =>
        updateResult(tx, userId, key, value),
      );
      await db.transaction((tx) => updateResult(tx, userId, key, result));
      return result;
    } catch (error) {
      await db.transaction((tx) => deleteSubmission(tx, userId, key));
      throw error;
    }
  }

  return {
    /**
     * Submits something once.
     * @param given the program's key, of any length; without one it is submitted each time
     * @returns what `submit` returned, now or the first time
     */
    once: (
      userId: UserId,
      given: string | undefined,
      submit: Submit,
    ): Promise<string> => {
      if (given === undefined || given === "") return submit(NOTHING);
      const key = createHash("sha256").update(given).digest("hex");
      const name = `${userId}:${key}`;
      const before = running.get(name);
      if (before) return before;
      const submitting = run(userId, key, submit).finally(() =>
        running.delete(name),
      );
      running.set(name, submitting);
      return submitting;
    },
    /** Deletes those of a user who has left. @returns true if more may remain */
    removeSomeOf: (userId: UserId, limit: number) =>
      db.transaction(
        async (tx) => (await deleteSomeSubmissionsOf(tx, userId, limit)) > 0,
      ),
  };
}
