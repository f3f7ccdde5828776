import type { Db, Tx } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import type { ReadText } from "../texts/index.ts";
import { hasRoomToHold } from "./held-text-store.ts";
import { findJudgedAuthor } from "./judged-author.ts";
import { insertHit, type SpamHit } from "./spam-hit-store.ts";
import {
  matchesAuthor,
  matchesText,
  readJudged,
  SPAM_ACTIONS,
  type SpamRule,
} from "./spam-rule.ts";

/** A new or changed text, before it is stored. */
export type TextToJudge = {
  readonly kind: SpamHit["kind"];
  readonly guid: string;
  readonly uri: string | null;
  readonly personId: PersonId;
  readonly text: string;
  readonly found: ReadText;
  /** People mentioned outside the text. */
  readonly mentioned?: readonly PersonId[] | undefined;
  readonly isPublic: boolean;
  /** Its readers here, where it is not public. */
  readonly readers: () => Promise<readonly PersonId[]>;
};

/** A report to the moderators, in the name of a rule. */
export type RuleReport = {
  readonly rule: string;
  readonly personId: PersonId;
  readonly targetKind: SpamHit["kind"];
  readonly targetGuid: string;
  /** null for a limited text. */
  readonly evidence: string | null;
};

export type JudgeDeps = {
  readonly clock: Clock;
  /** The rules that are on, from the cache or from the transaction. */
  readonly listOn: (tx: Tx) => Promise<readonly SpamRule[]>;
  readonly report: (tx: Tx, report: RuleReport) => Promise<void>;
  /** Notifies moderators of a held text. */
  readonly notifyStaff: (tx: Tx) => Promise<void>;
};

/** The decision of the rules about a text. */
export type RuleVerdict =
  | { readonly kind: "admitted" | "refused" }
  /** A moderator decides; until then nobody but its author sees it. */
  | { readonly kind: "held"; readonly rule: string };

/** A rule holds the text of somebody here, which is kept. */
export class TextHeld extends KithError {
  constructor() {
    super(
      "bad_request",
      "A rule of this server holds this text until a moderator decides. It is kept: do not send it again.",
    );
    this.name = "TextHeld";
  }
}

/** A rule refuses the text of a new account. Nothing was stored, also not in the log. */
export class SpamRefused extends KithError {
  readonly hits: readonly Omit<SpamHit, "id">[];

  constructor(hits: readonly Omit<SpamHit, "id">[]) {
    super("bad_request", "A rule of this server refuses this text.");
    this.name = "SpamRefused";
    this.hits = hits;
  }
}

/**
 * Logs what `work` was refused for, which its own transaction could not keep. For the
 * outermost transaction in which somebody here writes.
 */
export async function keepRefusal<T>(db: Db, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SpamRefused)
      await db.transaction(async (tx) => {
        for (const hit of error.hits) await insertHit(tx, hit);
      });
    throw error;
  }
}

const ADMITTED: RuleVerdict = { kind: "admitted" };

/**
 * Applies the rules that are on: logs their hits, and reports the text where one asks for it.
 * Without rules it asks nothing of the database.
 * @param mayWait can the text be kept until a moderator decides? Otherwise it is refused
 * @throws {SpamRefused} if that of a new account here is refused
 */
export async function judgeText(
  deps: JudgeDeps,
  tx: Tx,
  written: TextToJudge,
  mayWait: boolean,
): Promise<RuleVerdict> {
  const rules = await deps.listOn(tx);
  if (rules.length === 0) return ADMITTED;
  const { found, mentioned = [], personId } = written;
  const mentions = Math.max(found.handles.length, mentioned.length);
  const judged = readJudged(written.text, mentions);
  const meant = rules.filter((rule) => matchesText(rule.conditions, judged));
  if (meant.length === 0) return ADMITTED;
  const now = deps.clock.now();
  const author = await findJudgedAuthor(tx, written, meant, now);
  if (!author) return ADMITTED;
  const hit = meant.filter((rule) =>
    matchesAuthor(rule.conditions, author, now),
  );
  const strictest = SPAM_ACTIONS.findLast((action) =>
    hit.some((rule) => rule.action === action),
  );
  const holding = hit.find(({ action }) => action === "hold");
  const isHeld =
    strictest === "hold" && mayWait && (await hasRoomToHold(tx, personId));
  const isRefused = strictest === "refuse" || (holding && !isHeld);
  const hits = hit.map(({ name, action }) => ({
    ...{ rule: name, action, personId },
    ...{ kind: written.kind, thing: written.uri ?? written.guid },
    at: timestamp(now),
  }));
  if (isRefused && author.isLocal) throw new SpamRefused(hits);
  for (const one of hits)
    if ((await insertHit(tx, one)) && one.action === "report")
      if (!isRefused && !isHeld) await deps.report(tx, reportOf(one, written));
  if (isRefused) return { kind: "refused" };
  if (!holding) return ADMITTED;
  await deps.notifyStaff(tx);
  return { kind: "held", rule: holding.name };
}

function reportOf(
  { rule, personId }: Omit<SpamHit, "id">,
  { kind, guid, text, isPublic }: TextToJudge,
): RuleReport {
  const evidence = isPublic ? text : null;
  return {
    ...{ rule, personId, targetKind: kind, targetGuid: guid, evidence },
  };
}
