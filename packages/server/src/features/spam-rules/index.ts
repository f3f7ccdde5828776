import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { createTtlCache } from "../../lib/caching/ttl-cache.ts";
import { KithError } from "../../lib/errors.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import type { Tx } from "../../db/db.ts";
import type { Doer } from "../audit/index.ts";
import type { PersonId } from "../ids.ts";
import type { Page } from "../page.ts";
import {
  countHeld,
  deleteHeld,
  deleteSomeHeldOf,
  findHeld,
  findHeldPost,
  insertHeld,
  listHeld,
  updateHeldAudience,
  updateHeldComment,
} from "./held-text-store.ts";
import {
  judgeText,
  type JudgeDeps,
  type TextToJudge,
  type RuleVerdict,
} from "./judge-text.ts";
import { MAX_REHEARSED_DAYS, rehearseRule } from "./rehearse-rule.ts";
import { setRule, type NewRule, type SetRuleDeps } from "./set-rule.ts";
import { deleteSomeHits, listHits } from "./spam-hit-store.ts";
import {
  deleteRule,
  findRule,
  listSpamRules,
  listRulesOn,
  updateIsOn,
} from "./spam-rule-store.ts";
import type { SpamRule } from "./spam-rule.ts";

export {
  keepRefusal,
  SpamRefused,
  TextHeld,
  type RuleReport,
  type TextToJudge,
} from "./judge-text.ts";
export type { HeldAudience, HeldComment, HeldText } from "./held-text-store.ts";
export type { Rehearsal } from "./rehearse-rule.ts";
export { MAX_REHEARSED_DAYS } from "./rehearse-rule.ts";
export type { ShownHit } from "./spam-hit-store.ts";
export { listReadersHere } from "./stored-texts.ts";
export { SPAM_ACTIONS, type SpamAction, type SpamRule } from "./spam-rule.ts";

/** The job that deletes old hits. */
export const FORGET_SPAM_HITS = recurringKind("forget-spam-hits");

const FORGET_EVERY_MS = 6 * 3_600_000;
const KEEP_HITS_MS = 30 * 86_400_000;
const AT_ONCE = 500;
/** For how long another process may not know of a change. */
const KEEP_MS = 1_000;

/** The handler of {@link FORGET_SPAM_HITS}. */
export function createForgetSpamHits({
  db,
  clock,
}: Pick<SetRuleDeps, "clock" | "db">): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    const before = timestamp(later(clock.now(), -KEEP_HITS_MS));
    for (let isMore = true; isMore && !signal.aborted;)
      isMore = await db.transaction(
        async (tx) => (await deleteSomeHits(tx, { before }, AT_ONCE)) > 0,
      );
    return { kind: "again", afterMs: FORGET_EVERY_MS };
  };
}

type SpamRulesDeps = SetRuleDeps & Pick<JudgeDeps, "notifyStaff" | "report">;

/** Rules against known patterns of spam, and the log of what they hit. */
export type SpamRules = ReturnType<typeof createSpamRules>;

export function createSpamRules(deps: SpamRulesDeps) {
  const { db, clock, audit } = deps;
  const kept = createTtlCache(clock, KEEP_MS, () => listRulesOn(db.read));
  const judging: JudgeDeps = {
    ...{ clock, report: deps.report, notifyStaff: deps.notifyStaff },
    // Inside a transaction nothing but the transaction is asked.
    listOn: (tx) => kept.get(() => listRulesOn(tx)),
  };
  const get = async (tx: Tx, id: number): Promise<SpamRule> => {
    const rule = await findRule(tx, id);
    if (!rule) throw new KithError("not_found", "There is no such rule.");
    return rule;
  };
  const change = async (work: (tx: Tx) => Promise<void>) => {
    await db.transaction(work);
    kept.forget();
  };

  return {
    /**
     * Applies the rules to a changed text before it is stored. It cannot wait: rules that hold
     * new texts refuse it.
     * @returns false if that of a remote author must not be stored
     * @throws {SpamRefused} if that of a new account here must not be
     */
    admit: async (tx: Tx, written: TextToJudge): Promise<boolean> =>
      (await judgeText(judging, tx, written, false)).kind === "admitted",
    /**
     * The same for a new text, which may wait for a moderator.
     * @param mayWait can it be kept from its readers until then?
     * @throws {SpamRefused} if that of a new account here is refused
     */
    judge: (
      tx: Tx,
      written: TextToJudge,
      mayWait = true,
    ): Promise<RuleVerdict> => judgeText(judging, tx, written, mayWait),
    /** The texts that wait for a moderator. */
    held: {
      insert: insertHeld,
      find: findHeld,
      findPost: findHeldPost,
      updateAudience: updateHeldAudience,
      updateComment: updateHeldComment,
      delete: deleteHeld,
      list: (page: Page, of?: PersonId) => listHeld(db.read, page, of),
      listOf: (tx: Tx, of: PersonId, page: Page) => listHeld(tx, page, of),
      count: (of?: PersonId) => countHeld(db.read, of),
    },
    /** By name. */
    list: () => listSpamRules(db.read),
    /** Makes a rule, or replaces that of the same name. @throws {KithError} `bad_request` */
    set: async (by: Doer, rule: NewRule): Promise<SpamRule> => {
      const made = await setRule(deps, by, rule);
      kept.forget();
      return made;
    },
    /** @throws {KithError} `not_found` */
    switch: (by: Doer, id: number, isOn: boolean) =>
      change(async (tx) => {
        const { name: target } = await get(tx, id);
        await updateIsOn(tx, id, isOn, timestamp(clock.now()));
        const action = isOn ? "spam_rule.switch_on" : "spam_rule.switch_off";
        await audit.recordAct(tx, { by, action, target });
      }),
    /** Its hits stay in the log. @throws {KithError} `not_found` */
    delete: (by: Doer, id: number) =>
      change(async (tx) => {
        const { name: target } = await get(tx, id);
        await deleteRule(tx, id);
        await audit.recordAct(tx, { by, action: "spam_rule.delete", target });
      }),
    /**
     * Which stored posts and comments a rule would have hit.
     * @throws {KithError} `not_found`, `bad_request`
     */
    rehearse: async (id: number, days: number) => {
      if (!(days >= 1 && days <= MAX_REHEARSED_DAYS))
        throw new KithError(
          "bad_request",
          `The parameter days must be from 1 to ${MAX_REHEARSED_DAYS}.`,
        );
      const rule = await findRule(db.read, id);
      if (!rule) throw new KithError("not_found", "There is no such rule.");
      return rehearseRule({ read: db.read, clock }, rule, days);
    },
    /** The hits of the last 30 days, newest first. */
    listHits: (page: Page) => listHits(db.read, page),
    /** Deletes hits and held texts of somebody who has left. @returns true if more are left */
    removeSomeOf: (personId: PersonId, limit: number) =>
      db.transaction(async (tx) => {
        const held = await deleteSomeHeldOf(tx, personId, limit);
        return (await deleteSomeHits(tx, { personId }, limit)) + held > 0;
      }),
  };
}
