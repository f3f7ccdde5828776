import { AsyncLocalStorage } from "node:async_hooks";

/** Fields of every log line in this context. */
type LogContext = {
  /** Of a request, and of the jobs that follow from it. */
  readonly requestId?: string;
  readonly job?: number;
  /** Of the job. */
  readonly kind?: string;
};

const storage = new AsyncLocalStorage<LogContext>();

/**
 * Runs `work`, and all that follows from it, in the context of this request or
 * job.
 */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return storage.run(context, work);
}

/**
 * The request or job that the running code belongs to; empty if there is none.
 */
export function logContext(): LogContext {
  return storage.getStore() ?? {};
}
