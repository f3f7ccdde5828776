import { CalendarDataError, invalidData } from "./calendar-data.ts";

const FREQUENCIES = new Set(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]);
const PARTS = new Set(
  `FREQ INTERVAL COUNT UNTIL BYDAY BYMONTHDAY BYMONTH BYSETPOS BYYEARDAY BYWEEKNO WKST
   BYHOUR BYMINUTE BYSECOND`.split(/\s+/),
);
const MAX_LENGTH = 2000;
/** Events of a series that ends after a number of them. */
export const MAX_INSTANCES = 2_000;
const MOST = { INTERVAL: 10_000, COUNT: MAX_INSTANCES } as const;

/**
 * Checks the value of an `RRULE`. Series that repeat within a day are refused, as RFC 4791
 * lets a server do.
 * @returns it in capital letters
 * @throws {CalendarDataError} `valid-calendar-data` or `max-instances`
 */
export function checkRule(value: string): string {
  const rule = value.trim().toUpperCase().replace(/;$/, "");
  if (rule.length > MAX_LENGTH) throw invalidData("A rule is too long.");
  const parts = rule.split(";").map((part) => part.split("="));
  const names = new Set(parts.map(([name = ""]) => name));
  if (
    names.size !== parts.length ||
    parts.some(([name = "", text = ""]) => !PARTS.has(name) || text === "")
  )
    throw invalidData("A rule has unknown parts, or one twice.");
  const given = new Map(parts.map(([name = "", text = ""]) => [name, text]));
  if (!FREQUENCIES.has(given.get("FREQ") ?? ""))
    throw invalidData("Series repeat daily, weekly, monthly or yearly.");
  for (const name of ["INTERVAL", "COUNT"] as const) {
    const text = given.get(name) ?? "1";
    if (!/^\d{1,9}$/.test(text) || Number(text) < 1)
      throw invalidData(`The ${name} of a rule is a number from 1 on.`);
    if (Number(text) > MOST[name])
      throw new CalendarDataError(
        name === "COUNT" ? "max-instances" : "valid-calendar-data",
        `The ${name} of a rule is too large.`,
      );
  }
  for (const name of ["BYHOUR", "BYMINUTE", "BYSECOND"])
    if (!/^\d{1,2}$/.test(given.get(name) ?? "0"))
      throw invalidData("Series repeat at most once a day.");
  if (!/^(\d{8}(T\d{6}Z?)?)?$/.test(given.get("UNTIL") ?? ""))
    throw invalidData("The UNTIL of a rule is malformed.");
  return rule;
}

export function partsOf(rule: string): Map<string, string> {
  return new Map(
    rule.split(";").map((part) => {
      const [name = "", text = ""] = part.split("=");
      return [name, text];
    }),
  );
}
