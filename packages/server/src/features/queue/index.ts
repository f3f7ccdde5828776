import type { JobFilter } from "../../jobs/stores/queue-administration-store.ts";
import type { QueueAdministration } from "../../jobs/queue-administration.ts";
import type { Action, Audit, Doer } from "../audit/index.ts";

/** Queue administration: counts jobs, and retries or drops them with an audit entry. */
export type OperatedQueue = ReturnType<typeof createOperatedQueue>;

export function createOperatedQueue({
  administration,
  audit,
}: {
  readonly administration: QueueAdministration;
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
    /** The numbers of waiting and of dead jobs. */
    count: administration.count,
    /** Counts by kind and host, the largest first. */
    list: administration.list,
    /** Makes jobs due immediately. */
    retry: (by: Doer, filter: JobFilter) =>
      administration.retry(filter, noteFor(by, "queue.retry", filter)),
    /** Deletes jobs for good. */
    drop: (by: Doer, filter: JobFilter) =>
      administration.drop(filter, noteFor(by, "queue.drop", filter)),
  };
}
