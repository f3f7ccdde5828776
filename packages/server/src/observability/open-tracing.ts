import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Link,
  type Span as OtelSpan,
  type SpanOptions,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";
import { withTimeout } from "../lib/time/timeout.ts";
import type { Log } from "./log.ts";
import { withLogContext } from "./log-context.ts";
import type { OpenSpan, SpanStart, TraceSpan, Tracing } from "./tracing.ts";

/** How spans travel to the collector. @see OTLP specification, OTLP/HTTP */
export type TraceProtocol = "http/json" | "http/protobuf";

const CLOSE_WITHIN_MS = 2_000;
const COMPLAIN_EVERY_MS = 60_000;
const MAX_COMPLAINT = 300;

/**
 * Exports spans as the variables of OpenTelemetry say, which its packages read
 * themselves. Import this module on demand only: it loads those packages.
 * @see OpenTelemetry specification, "Environment Variable Specification"
 */
export async function openTracing(input: {
  readonly version: string;
  readonly protocol: TraceProtocol;
  readonly log: Log;
}): Promise<Tracing> {
  complainTo(input.log);
  const ids = createIds();
  const contexts = new AsyncLocalStorageContextManager().enable();
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(ownAttributes(input.version)))
      .merge(detectResources({ detectors: [envDetector] })),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(await openExporter(input))],
  });
  const tracer = provider.getTracer("kith", input.version);
  const isRecording = () =>
    trace.getSpan(contexts.active())?.isRecording() === true;
  const open = (span: OtelSpan): OpenSpan => ({
    ...describeSpan(span),
    within: (work) =>
      contexts.with(trace.setSpan(contexts.active(), span), work),
    end: () => span.end(),
  });
  return {
    begin: ({ requestId, causedBy, ...start }) => {
      const links = causedBy === undefined ? [] : linksTo(causedBy);
      const options = { ...optionsOf(start), links, root: true };
      return open(
        ids.during(requestId, () =>
          tracer.startSpan(start.name, options, ROOT_CONTEXT),
        ),
      );
    },
    trace: async (start, work) => {
      if (!isRecording()) return work(UNRECORDED);
      const span = tracer.startSpan(
        start.name,
        optionsOf(start),
        contexts.active(),
      );
      const opened = open(span);
      try {
        return await opened.within(() => work(opened));
      } catch (error) {
        opened.fail(error instanceof Error ? error.name : "unknown");
        throw error;
      } finally {
        span.end();
      }
    },
    record: (start, ms) => {
      if (!isRecording()) return;
      const given = start();
      const endTime = performance.now();
      const options = { ...optionsOf(given), startTime: endTime - ms };
      tracer.startSpan(given.name, options, contexts.active()).end(endTime);
    },
    close: async () => {
      await withTimeout(provider.shutdown(), CLOSE_WITHIN_MS).catch(() => {});
      contexts.disable();
      diag.disable();
    },
  };
}

/** Only the protocol that is used is loaded. */
async function openExporter({
  protocol,
}: {
  readonly protocol: TraceProtocol;
}): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter();
}

const UNRECORDED: TraceSpan = { set: () => {}, fail: () => {} };

function describeSpan(span: OtelSpan): TraceSpan {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    fail: (type) => {
      span.setAttribute("error.type", type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
};

function optionsOf({ kind, attributes }: SpanStart): SpanOptions {
  return {
    kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
    ...(attributes && { attributes }),
  };
}

function ownAttributes(version: string) {
  return { "service.name": "kith", "service.version": version };
}

/** Random ids, but those of a request follow from its request id. */
function createIds() {
  const random = new RandomIdGenerator();
  let next: ReturnType<typeof idsOf>;
  return {
    generateTraceId: () => next?.traceId ?? random.generateTraceId(),
    generateSpanId: () => next?.spanId ?? random.generateSpanId(),
    /** `start` is synchronous, so that no other span gets these ids. */
    during: <T>(requestId: string | undefined, start: () => T): T => {
      next = idsOf(requestId);
      try {
        return start();
      } finally {
        next = undefined;
      }
    },
  };
}

const HEX = /^[0-9a-f]{32}$/;

function idsOf(requestId: string | undefined) {
  const traceId = requestId?.replaceAll("-", "") ?? "";
  if (!HEX.test(traceId)) return undefined;
  // The second half of a UUID is never zero: it has the bits of its variant.
  return { traceId, spanId: traceId.slice(16) };
}

/** The span of a request, which another process may have handled. */
function linksTo(requestId: string): Link[] {
  const ids = idsOf(requestId);
  return ids ? [{ context: { ...ids, traceFlags: TraceFlags.NONE } }] : [];
}

/** OpenTelemetry writes errors as JSON, with their stack. */
function reasonOf(message: string): string {
  try {
    const { message: reason } = JSON.parse(message) as { message?: unknown };
    return typeof reason === "string" ? reason : message;
  } catch {
    return message;
  }
}

/** A collector that is away is logged now and then, and hinders nobody. */
function complainTo(log: Log): void {
  let silentUntilMs = 0;
  const complain = (message: string): void => {
    if (performance.now() < silentUntilMs) return;
    silentUntilMs = performance.now() + COMPLAIN_EVERY_MS;
    const reason = reasonOf(message).slice(0, MAX_COMPLAINT);
    // The exporter runs on the timer of whichever request or job came first.
    withLogContext({}, () => log.warn({ reason }, "Traces cannot be exported"));
  };
  const ignore = (): void => {};
  diag.setLogger(
    {
      ...{ error: complain, warn: ignore, info: ignore },
      ...{ debug: ignore, verbose: ignore },
    },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}
