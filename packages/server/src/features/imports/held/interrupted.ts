import type { Db, Tx } from "../../../db/db.ts";
import type { SettledJob } from "../../../jobs/job.ts";
import { timestamp, type Clock } from "../../../lib/time/clock.ts";
import type { HeldImport, ImportState } from "./held-import.ts";
import { RUN_IMPORT } from "./import-kind.ts";
import { findImport } from "./import-queries.ts";
import { changeState, saveInterruption } from "./import-store.ts";

/** Why an import ended by itself: the words for its owner, without a cause of the server's. */
const REASONS = {
  given_up:
    "The server gave it up after several attempts. Its log has the cause.",
  removed: "The operator of the server removed it from the queue.",
  suspended: "The account was suspended or closed.",
} as const;

export type Interruption = keyof typeof REASONS;

/** Notes that the job of an import has ended before its end. It can be started again. */
export async function interrupt(
  tx: Tx,
  clock: Clock,
  id: number,
  why: Interruption,
): Promise<void> {
  const now = timestamp(clock.now());
  const held = await findImport(tx, id);
  if (held && isUnderWay(held))
    await saveInterruption(tx, held, REASONS[why], now);
}

/** Of jobs that are dead, or were removed. */
export async function noteEndedJobs(
  tx: Tx,
  clock: Clock,
  jobs: readonly Pick<SettledJob, "kind" | "payload">[],
  why: Interruption,
): Promise<void> {
  for (const { kind, payload } of jobs) {
    const id = kind === RUN_IMPORT.name ? idIn(payload) : undefined;
    if (id !== undefined) await interrupt(tx, clock, id, why);
  }
}

function idIn(payload: unknown): number | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  return "id" in payload && typeof payload.id === "number"
    ? payload.id
    : undefined;
}

/** The state in which an interrupted import goes on: a rehearsal begins anew. */
export const stateAfter = ({
  report,
}: Pick<HeldImport, "report">): "importing" | "rehearsing" =>
  report === null ? "rehearsing" : "importing";

export type UnderWay = HeldImport & {
  readonly state: "importing" | "rehearsing";
};

const isUnderWay = (held: HeldImport): held is UnderWay =>
  held.state === "importing" || held.state === "rehearsing";

/** The import of a job; one that was interrupted goes on, as when an operator retries its job. */
export async function findUnderWay(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  id: number,
): Promise<UnderWay | undefined> {
  const held = await findImport(db.read, id);
  if (held?.state !== "interrupted") return underWay(held);
  const now = timestamp(clock.now());
  const from: readonly ImportState[] = ["interrupted"];
  return db.transaction(async (tx) => {
    await changeState(tx, id, from, stateAfter(held), now);
    return underWay(await findImport(tx, id));
  });
}

const underWay = (held: HeldImport | undefined): UnderWay | undefined =>
  held && isUnderWay(held) ? held : undefined;
