import {
  pino,
  stdSerializers,
  type DestinationStream,
  type Logger,
} from "pino";
import { logContext } from "./log-context.ts";

/** A structured log. Its lines carry the id of the request or job that they belong to. Never give it secrets or the text of private records. */
export type Log = Logger;

/**
 * @param hide takes out of a line what must not stand in it, however it came there
 * @param destination standard output, where it is absent
 */
export function createLog(
  level: string,
  hide: (line: string) => string = (line) => line,
  destination?: DestinationStream,
): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutData },
    mixin: logContext,
    hooks: { streamWrite: hide },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** What libraries hang on their errors of the data that was dealt with. */
const DATA = new Set([
  // The HTTP parser: the bytes of the request, in which tokens and secrets stand.
  "rawPacket",
  // PostgreSQL: the row that it refuses, with all that somebody wrote.
  "detail",
  "where",
  "internalQuery",
]);

function withoutData(error: Error): object {
  return Object.fromEntries(
    Object.entries(stdSerializers.err(error)).filter(
      ([name]) => !DATA.has(name),
    ),
  );
}

/** A log that says nothing. */
export function silentLog(): Log {
  return pino({ level: "silent" });
}
