import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import type { SubscriptionFault } from "../../db/schema/schema-events.ts";
import { CalendarDataError } from "../../lib/icalendar/calendar-data.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import type { SubscriptionId } from "../ids.ts";
import { digestOf, parseSubscribed } from "./parse-calendar.ts";
import type { ReadAnswer, ReadElsewhere } from "./read-calendar.ts";
import { storeCalendar, type CalendarText } from "./store-calendar.ts";
import { findSubscriptionState, updateTried } from "./subscription-store.ts";
import { understandingIn, type SubscriptionState } from "./subscription.ts";

export type RefreshDeps = { readonly db: Db; readonly clock: Clock };

const HOUR_MS = 3_600_000;
const USUAL_MS = 6 * HOUR_MS;
const LEAST_MS = HOUR_MS;
const MOST_MS = 24 * HOUR_MS;
const FIRST_RETRY_MS = HOUR_MS / 4;

type Failed = Extract<ReadAnswer, { kind: "failed" }>;
type Outcome = Failed | CalendarText | { readonly kind: "unchanged" };

/** Reads a subscribed calendar again. @returns why it could not be read */
export async function refresh(
  { db, clock }: RefreshDeps,
  read: ReadElsewhere,
  state: SubscriptionState,
  signal?: AbortSignal,
): Promise<SubscriptionFault | null> {
  const outcome = await readText({ clock }, read, state, signal);
  const now = clock.now();
  const at = timestamp(now);
  return db.transaction(async (tx) => {
    await lockSubscription({ db }, tx, state.id);
    const current = await findSubscriptionState(tx, state.id);
    // It was read meanwhile, or is gone.
    if (current?.triedAt !== state.triedAt) return null;
    // Only a refresh changes the text with which it was compared.
    if (outcome.kind === "read")
      await storeCalendar(
        tx,
        { ...state, changes: current.changes },
        outcome,
        at,
      );
    const fault = outcome.kind === "failed" ? outcome.fault : null;
    const failures = fault === null ? 0 : state.failures + 1;
    const waitMs =
      outcome.kind === "failed"
        ? retryMs(failures, outcome)
        : usualMs(refreshMsOf(outcome, state));
    const dueAt = timestamp(later(now, waitMs));
    await updateTried(tx, state.id, { at, dueAt, failures, fault });
    return fault;
  });
}

/** Postpones a calendar that could not be read or stored for a reason that nobody foresaw. */
export function postpone(
  { db, clock }: RefreshDeps,
  { id, failures: before }: SubscriptionState,
): Promise<void> {
  const now = clock.now();
  const fault = "no_calendar";
  const failures = before + 1;
  const waitMs = retryMs(failures, { kind: "failed", fault });
  const dueAt = timestamp(later(now, waitMs));
  const outcome = { at: timestamp(now), dueAt, failures, fault } as const;
  return db.transaction((tx) => updateTried(tx, id, outcome));
}

/** Changes of one calendar are numbered in their order. */
export function lockSubscription(
  { db }: Pick<RefreshDeps, "db">,
  tx: Tx,
  id: SubscriptionId,
): Promise<void> {
  return lockKey(tx, db.dialect, `subscription:${id}`);
}

async function readText(
  { clock }: Pick<RefreshDeps, "clock">,
  read: ReadElsewhere,
  state: SubscriptionState,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { url, understanding, currentZone } = state;
  const isUnderstood = understanding === understandingIn(currentZone);
  const known = isUnderstood ? state : undefined;
  const answer = await read(url, known, signal);
  if (answer.kind !== "read") return answer;
  return understand(answer, currentZone, clock, known);
}

/**
 * Parses a text that was read.
 * @param known a text that says the same is not parsed again
 */
export async function understand(
  answer: Extract<ReadAnswer, { kind: "read" }>,
  zone: string,
  clock: Clock,
  known?: Pick<SubscriptionState, "digest">,
): Promise<CalendarText | Failed> {
  const digest = digestOf(Buffer.from(answer.bytes).toString("latin1"));
  if (known?.digest === digest) return { ...answer, digest, parsed: undefined };
  try {
    const now = timestamp(clock.now());
    const parsed = await parseSubscribed(answer.bytes, zone, now);
    return { ...answer, digest, parsed };
  } catch (error) {
    if (!(error instanceof CalendarDataError)) throw error;
    const isLarge = error.fault === "max-resource-size";
    return { kind: "failed", fault: isLarge ? "too_large" : "no_calendar" };
  }
}

function refreshMsOf(
  outcome: Exclude<Outcome, Failed>,
  { refreshMs }: SubscriptionState,
): number | null {
  return outcome.kind === "read" && outcome.parsed
    ? (outcome.parsed.refreshMs ?? null)
    : refreshMs;
}

/** Not all at the same moment. */
const spread = (ms: number) => ms * (0.9 + Math.random() * 0.2);

export function usualMs(wantedMs: number | null | undefined): number {
  const ms = wantedMs ?? USUAL_MS;
  return spread(Math.min(Math.max(ms, LEAST_MS), MOST_MS));
}

/** A quarter of an hour, then always twice as long, up to a day. */
function retryMs(failures: number, { afterMs = 0 }: Failed): number {
  const ms = FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 10);
  return Math.max(spread(Math.min(ms, MOST_MS)), afterMs);
}
