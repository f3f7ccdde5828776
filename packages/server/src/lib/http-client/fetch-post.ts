import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { abortReason } from "./fetch-deadline.ts";
import { FetchRefused } from "./fetch-refused.ts";

/** The head of a response whose body is ignored. */
export type AnswerHead = {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
};

type Limits = {
  /** Of the response body; a longer one is cut off. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/**
 * Sends a request and returns the head of the response. Most requests of a
 * server are deliveries, and reading a body as a stream costs as much as the
 * rest of a request.
 * @throws {FetchRefused} `timeout`; the error of the dispatcher; or the reason
 *   of the signal
 */
export function sendForHead(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: Limits,
): Promise<AnswerHead> {
  return new Promise((resolve, reject) => {
    if (limits.signal?.aborted === true) {
      reject(abortReason(limits.signal));
      return;
    }
    const handler = new HeadHandler(limits, resolve, reject);
    dispatcher.dispatch(request, handler);
  });
}

class HeadHandler implements Dispatcher.DispatchHandler {
  readonly #limits: Limits;
  readonly #resolve: (head: AnswerHead) => void;
  readonly #reject: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #head: AnswerHead | undefined;
  #bytes = 0;
  #endedBy: Error | undefined;

  constructor(
    limits: Limits,
    resolve: (head: AnswerHead) => void,
    reject: (error: unknown) => void,
  ) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => {
      const { timeoutMs } = limits;
      this.end(
        new FetchRefused("timeout", `not done after ${String(timeoutMs)} ms`),
      );
    }, limits.timeoutMs);
    if (limits.signal) requestsOf(limits.signal).add(this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#endedBy) controller.abort(this.#endedBy);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    // 100 to 199 are informational.
    if (statusCode >= 200) this.#head = { statusCode, headers };
  }

  onResponseData(
    _controller: Dispatcher.DispatchController,
    chunk: Buffer,
  ): void {
    this.#bytes += chunk.byteLength;
    if (this.#bytes > this.#limits.maxBytes)
      this.end(new FetchRefused("too_large", "body too large"));
  }

  onResponseEnd(): void {
    this.#settle();
  }

  onResponseError(
    _controller: Dispatcher.DispatchController,
    error: Error,
  ): void {
    this.#settle(this.#endedBy ?? error);
  }

  /** Ends the request for a reason of ours, unless the response has come. */
  end(reason: Error): void {
    this.#endedBy = reason;
    this.#settle(reason);
    this.#controller?.abort(reason);
  }

  /**
   * @param error why there is no response, if that is known: creating an Error
   *   for each response would be wasted
   */
  #settle(error?: Error): void {
    clearTimeout(this.#timer);
    if (this.#limits.signal) requestsOf(this.#limits.signal).delete(this);
    if (this.#head) this.#resolve(this.#head);
    else this.#reject(error ?? new Error("An answer without a head"));
  }
}

const requests = new WeakMap<AbortSignal, Set<HeadHandler>>();

/**
 * One listener for all requests of a signal: a signal scans its listeners when
 * one is added or removed.
 */
function requestsOf(signal: AbortSignal): Set<HeadHandler> {
  const known = requests.get(signal);
  if (known) return known;
  const running = new Set<HeadHandler>();
  requests.set(signal, running);
  signal.addEventListener("abort", () => {
    for (const request of [...running]) request.end(abortReason(signal));
  });
  return running;
}
