import { pino, type Logger } from "pino";

/** A structured log. Never give it secrets or the text of private records. */
export type Log = Logger;

export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

/** A log that says nothing. */
export function silentLog(): Log {
  return pino({ level: "silent" });
}
