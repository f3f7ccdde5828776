import type { NotificationReason } from "../../db/schema/columns/notification.ts";
import type { Tx } from "../../db/db.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Limit } from "../../lib/limits/limits.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import { kindOf } from "../notifications/index.ts";
import type { NotificationId, UserId } from "../ids.ts";
import type { MailDeps } from "./mail-deps.ts";
import { MAIL, MAIL_HOST } from "./mail-job.ts";
import { digestPeriodMs } from "./mail-settings.ts";
import {
  findNewestNotification,
  listDueDigests,
  listKindsAtOnce,
  updateDigest,
  type DueDigest,
} from "./mail-store.ts";

const LOOK_EVERY_MS = 10 * 60_000;
const AT_ONCE = 100;

/** Enqueues the mail of a new notification, in the transaction that stores it. */
export async function enqueueNotice(
  deps: MailDeps & { readonly noticesPerAccount: Limit },
  tx: Tx,
  userId: UserId,
  {
    id,
    reason,
  }: { readonly id: NotificationId; readonly reason: NotificationReason },
): Promise<void> {
  if (!deps.isEnabled) return;
  const kind = kindOf(reason);
  if (kind === undefined) return;
  const kinds = await listKindsAtOnce(tx, userId);
  if (!kinds.includes(kind)) return;
  // Others cause notifications: a flood of them is not passed on.
  if (!deps.noticesPerAccount.take(String(userId))) return;
  const payload = { type: "notice", userId, notificationId: id } as const;
  await deps.jobs.enqueue(tx, MAIL, payload, { host: MAIL_HOST });
}

/** Handles the job that begins the digests that are due, each once. */
export function createDigests(
  deps: MailDeps,
): JobHandler<Record<string, never>> {
  return async (_payload, { signal }) => {
    if (!deps.isEnabled) return { kind: "again", afterMs: LOOK_EVERY_MS };
    const now = timestamp(deps.clock.now());
    const due = await listDueDigests(deps.db.read, now, AT_ONCE);
    for (const digest of due)
      if (!signal.aborted)
        await deps.db.transaction((tx) => beginDigest(deps, tx, digest));
    return {
      kind: "again",
      afterMs: due.length === AT_ONCE ? 0 : LOOK_EVERY_MS,
    };
  };
}

async function beginDigest(
  { clock, jobs }: MailDeps,
  tx: Tx,
  digest: DueDigest,
): Promise<void> {
  const { userId, afterId, frequency } = digest;
  const upToId = await findNewestNotification(tx, userId);
  const at = nextDigest(digest.dueAt, digestPeriodMs(frequency), clock.now());
  const next = { at, afterId: Math.max(upToId, afterId) };
  if (!(await updateDigest(tx, digest, next)) || upToId <= afterId) return;
  const payload = { type: "digest", userId, afterId, upToId } as const;
  await jobs.enqueue(tx, MAIL, payload, { host: MAIL_HOST });
}

/** It keeps its hour, also if this server was down meanwhile. */
function nextDigest(dueAt: string, periodMs: number | undefined, now: Date) {
  if (periodMs === undefined) return null;
  const missed = Math.floor((now.getTime() - Date.parse(dueAt)) / periodMs);
  return timestamp(later(new Date(dueAt), (missed + 1) * periodMs));
}
