import {
  pino,
  stdSerializers,
  type DestinationStream,
  type Logger,
} from "pino";
import { logContext } from "./log-context.ts";

/** One JSON object in each line, or words for people. */
export type LogFormat = "human" | "json";

/**
 * A structured log. Its lines have the id of their request or job. Never log
 * secrets or the text of private records.
 */
export type Log = Logger;

/**
 * @param hide redacts lines, wherever the text came from
 * @param destination standard output by default
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

export function chooseFormat(given: LogFormat | null): LogFormat {
  return given ?? (process.stdout.isTTY ? "human" : "json");
}

/**
 * Writes lines for people to standard output. Loaded only if it is asked for.
 */
export async function humanDestination(): Promise<DestinationStream> {
  const { default: pretty } = await import("pino-pretty");
  return pretty({
    colorize: process.stdout.isTTY && process.stdout.hasColors(),
    translateTime: "SYS:yyyy-mm-dd HH:MM:ss.l",
    // Nothing is lost if the process is killed.
    sync: true,
  });
}

/** Fields of library errors that contain data. */
const DATA = new Set([
  // The HTTP parser: the bytes of the request, with its tokens and secrets.
  "rawPacket",
  // PostgreSQL: the row that it refuses, with its texts.
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

/** A log that discards everything. */
export function silentLog(): Log {
  return pino({ level: "silent" });
}
