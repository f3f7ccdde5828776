import { AsyncLocalStorage } from "node:async_hooks";

/** What every line says that is logged meanwhile. */
type LogContext =
  | { readonly requestId: string }
  | { readonly job: number; readonly kind: string };

const storage = new AsyncLocalStorage<LogContext>();

/** Runs `work`, and whatever follows from it, as a part of this request or job. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return storage.run(context, work);
}

/** To which request or job the code that runs belongs; empty where to none. */
export function logContext(): Partial<LogContext> {
  return storage.getStore() ?? {};
}
