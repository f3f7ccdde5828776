import type ICAL from "ical.js";
import { plainLine } from "../../lines.ts";

/** The words of a calendar about itself (RFC 7986, section 5), also in their older form. */
export type CalendarHints = {
  /** Empty if it gives itself none. */
  readonly name: string;
  /** How often it wants to be read, in milliseconds. */
  readonly refreshMs: number | undefined;
};

const MAX_NAME_LENGTH = 255;
/** In a month of the calendar, weeks and days have their usual length. */
const SOME_DAY = "2001-01-01";

export function hintsOf(root: ICAL.Component): CalendarHints {
  const textOf = (name: string) =>
    String(root.getFirstPropertyValue(name) ?? "");
  const duration =
    textOf("refresh-interval") || textOf("x-published-ttl") || undefined;
  return {
    name: plainLine(textOf("name") || textOf("x-wr-calname"), MAX_NAME_LENGTH),
    refreshMs: duration === undefined ? undefined : lengthOf(duration),
  };
}

function lengthOf(duration: string): number | undefined {
  try {
    const ms = Temporal.Duration.from(duration).total({
      unit: "milliseconds",
      relativeTo: SOME_DAY,
    });
    return ms > 0 ? ms : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
