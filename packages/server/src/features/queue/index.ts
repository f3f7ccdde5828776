import type { JobFilter } from "../../jobs/stores/queue-administration-store.ts";
import type { QueueAdministration } from "../../jobs/queue-administration.ts";
import type { Action, Audit, Doer } from "../audit/index.ts";

/** The queue as those who run this server see it: what they do with it is written down. */
export type OperatedQueue = ReturnType<typeof createOperatedQueue>;

export function createOperatedQueue({
  desk,
  audit,
}: {
  readonly desk: QueueAdministration;
  readonly audit: Audit;
}) {
  const noteFor =
    (by: Doer, action: Action, { host, kind }: JobFilter) =>
    (tx: Parameters<Audit["recordAct"]>[0]) =>
      audit.recordAct(tx, {
        by,
        action,
        target: host ?? "",
        details: kind === undefined ? "" : `kind ${kind}`,
      });
  return {
    /** How many jobs wait, and how many were given up. */
    count: desk.count,
    /** Counts by kind and host, the largest first. */
    list: desk.list,
    /** Makes jobs due at once. */
    retry: (by: Doer, filter: JobFilter) =>
      desk.retry(filter, noteFor(by, "queue.retry", filter)),
    /** Takes jobs out for ever. */
    drop: (by: Doer, filter: JobFilter) =>
      desk.drop(filter, noteFor(by, "queue.drop", filter)),
  };
}
