/**
 * Spans of what this process does, for an operator's collector. They hold no
 * secrets, texts, handles, paths or addresses of people: give names and
 * attributes from closed sets, ids of our own, and hosts of servers.
 */
export type Tracing = {
  /**
   * Begins the trace of a request or a job, unless it is not sampled. Traces
   * that others began are not continued: strangers would decide what is kept.
   */
  begin(start: TraceStart): OpenSpan;
  /** Runs `work` in a part of the running trace; without one, it only runs it. */
  trace<T>(start: SpanStart, work: (span: TraceSpan) => Promise<T>): Promise<T>;
  /** Records a part of the running trace that has ended just now. */
  record(start: () => SpanStart, ms: number): void;
  /** Sends what was recorded, within two seconds, and ends. Never rejects. */
  close(): Promise<void>;
};

export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanStart = {
  readonly name: string;
  readonly kind?: "server" | "client" | "consumer";
  readonly attributes?: Attributes;
};

export type TraceStart = SpanStart & {
  /** A UUID: without its dashes it is the id of the trace, so that log lines lead to it. */
  readonly requestId?: string;
  /** The request from which this follows. */
  readonly causedBy?: string;
};

export type TraceSpan = {
  set(attributes: Attributes): void;
  /** @param type of the error, never its message, which may quote anything */
  fail(type: string): void;
};

export type OpenSpan = TraceSpan & {
  /** Runs `work`, and all that follows from it, as parts of this trace. */
  within<T>(work: () => T): T;
  end(): void;
};

const NO_SPAN: OpenSpan = {
  set: () => {},
  fail: () => {},
  within: (work) => work(),
  end: () => {},
};

/** Records nothing. */
export const NO_TRACING: Tracing = {
  begin: () => NO_SPAN,
  trace: (_start, work) => work(NO_SPAN),
  record: () => {},
  close: () => Promise.resolve(),
};
