import type { LogFormat } from "../observability/log.ts";

/** How a process speaks to its operator. */
export type Voice = {
  readonly write: (line: string) => void;
  /** How far something long is, or what stops it. */
  readonly complain: (line: string) => void;
  readonly warn: (line: string) => void;
};

/** Words for people: results to standard output, the rest to standard error. */
export const HUMAN_VOICE: Voice = {
  write: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`kith: ${line}\n`),
  warn: (line) => void process.stderr.write(`kith: warning: ${line}\n`),
};

/** The voice of a process whose standard output is a log. */
export async function openVoice(given: LogFormat | null): Promise<Voice> {
  const { chooseFormat, createLog } = await import("../observability/log.ts");
  if (chooseFormat(given) === "human") return HUMAN_VOICE;
  // Its start and its end are logged at any level.
  const log = createLog("info");
  return {
    write: (line) => log.info(line),
    complain: (line) => log.info(line),
    warn: (line) => log.warn(line),
  };
}
