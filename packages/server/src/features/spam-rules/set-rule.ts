import type { Db } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { hasShortLabels, normalHost } from "../../lib/host-name.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Audit, Doer } from "../audit/index.ts";
import { listSpamRules, saveRule } from "./spam-rule-store.ts";
import {
  foldPhrase,
  MAX_KNOWN_DAYS,
  MAX_PHRASE,
  MAX_RULE_MENTIONS,
  MAX_RULE_NAME,
  MAX_RULES,
  type SpamAction,
  type SpamConditions,
  type SpamRule,
} from "./spam-rule.ts";

export type SetRuleDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
};

/** A rule as people type it; what is absent, blank or 0 is not asked. */
export type NewRule = {
  readonly name: string;
  readonly phrase?: string | undefined;
  /** A host, or a URL there. */
  readonly linkHost?: string | undefined;
  readonly mentions?: number | undefined;
  readonly knownDays?: number | undefined;
  readonly noContact?: boolean | undefined;
  readonly action: SpamAction;
  /** Off by default: a rehearsal comes first. */
  readonly isOn?: boolean | undefined;
};

/**
 * Makes a rule, or replaces the rule of the same name.
 * @throws {KithError} `bad_request` for a rule that asks nothing of the text, for what is too
 *   long or too much, and for too many rules
 */
export async function setRule(
  { db, clock, audit }: SetRuleDeps,
  by: Doer,
  given: NewRule,
): Promise<SpamRule> {
  const name = checkName(given.name);
  const conditions = checkConditions(given);
  const now = timestamp(clock.now());
  return db.transaction(async (tx) => {
    const rules = await listSpamRules(tx);
    if (rules.length >= MAX_RULES && !rules.some((rule) => rule.name === name))
      throw refuse(`There are ${MAX_RULES} rules already.`);
    const rule = await saveRule(tx, {
      ...{ name, conditions, action: given.action },
      isOn: given.isOn ?? false,
      ...{ createdAt: now, updatedAt: now },
    });
    await audit.recordAct(tx, {
      ...{ by, action: "spam_rule.set", target: name, details: given.action },
    });
    return rule;
  });
}

function checkName(typed: string): string {
  const name = storableText(typed).replace(/\s+/g, " ").trim();
  if (name === "" || [...name].length > MAX_RULE_NAME)
    throw refuse(
      `The parameter name must have 1 to ${MAX_RULE_NAME} characters.`,
    );
  return name;
}

function checkConditions(given: NewRule): SpamConditions {
  const phrase = readPhrase(given.phrase);
  const linkHost = readLinkHost(given.linkHost);
  const mentions = readUpTo("mentions", given.mentions, MAX_RULE_MENTIONS);
  const knownDays = readUpTo("known_days", given.knownDays, MAX_KNOWN_DAYS);
  // A rule for authors alone would be a policy for their servers.
  if (phrase === null && linkHost === null && mentions === null)
    throw refuse(
      "The parameter phrase must be given, or link_host, or mentions: a rule without any would hit every text.",
    );
  return {
    ...{ phrase, linkHost, mentions, knownDays },
    noContact: given.noContact ?? false,
  };
}

function readPhrase(typed = ""): string | null {
  const phrase = storableText(typed).replace(/\s+/g, " ").trim();
  if ([...phrase].length > MAX_PHRASE)
    throw refuse(
      `The parameter phrase must have at most ${MAX_PHRASE} characters.`,
    );
  return foldPhrase(phrase).trim() === "" ? null : phrase;
}

function readLinkHost(typed = ""): string | null {
  if (typed.trim() === "") return null;
  const host =
    typed.length <= 300 && hasShortLabels(`https://${typed.trim()}`)
      ? normalHost(typed)
      : undefined;
  if (host === undefined)
    throw refuse(
      "The parameter link_host must be a host such as spam.example.",
    );
  return host;
}

function readUpTo(
  name: string,
  value: number | undefined,
  most: number,
): number | null {
  if (value === undefined || value === 0) return null;
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw refuse(`The parameter ${name} must be from 0 to ${most}.`);
  return value;
}

const refuse = (message: string) => new KithError("bad_request", message);
