import {
  pino,
  stdSerializers,
  type DestinationStream,
  type Logger,
} from "pino";

/** A structured log. Never give it secrets or the text of private records. */
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
    serializers: { err: withoutPacket },
    hooks: { streamWrite: hide },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** The HTTP parser hangs on its errors the bytes of the request, in which tokens and secrets stand. */
function withoutPacket(error: Error): object {
  const { rawPacket: _, ...rest } = stdSerializers.err(error);
  return rest;
}

/** A log that says nothing. */
export function silentLog(): Log {
  return pino({ level: "silent" });
}
