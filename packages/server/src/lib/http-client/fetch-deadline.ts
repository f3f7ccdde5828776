import { FetchRefused } from "./fetch-refused.ts";

/**
 * Runs work that must end within `timeoutMs`, or when the caller's signal
 * aborts. The work gets one signal for both, and is abandoned if it ignores the
 * signal (a signer, a resolver).
 * @throws {FetchRefused} `timeout`; or the reason of the caller's signal
 */
export async function withDeadline<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const ended = Promise.withResolvers<never>();
  const end = (reason: unknown) => {
    controller.abort(reason);
    ended.reject(abortReason(signal));
  };
  const onAbort = () => {
    end(outer?.reason);
  };
  if (outer?.aborted === true) throw abortReason(outer);
  outer?.addEventListener("abort", onAbort);
  const timer = setTimeout(() => {
    end(new FetchRefused("timeout", `not done after ${String(timeoutMs)} ms`));
  }, timeoutMs);
  try {
    return await Promise.race([work(signal), ended.promise]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", onAbort);
  }
}

/** The error for an aborted signal. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("aborted");
}
