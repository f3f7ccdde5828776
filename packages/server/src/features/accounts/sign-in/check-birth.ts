/** The reasons for refusing a date of birth. */
export type BirthFault =
  "date_of_birth_blank" | "date_of_birth_malformed" | "date_of_birth_too_late";

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** Nobody is older. */
const EARLIEST = 1900;

/**
 * Checks a date of birth, such as `1990-12-31`, by the calendar of UTC.
 * @returns undefined for somebody who is old enough
 */
export function checkBirth(
  typed: string,
  minAge: number,
  now: Date,
): BirthFault | undefined {
  const text = typed.trim();
  if (text === "") return "date_of_birth_blank";
  const born = readDate(text);
  const today = Temporal.PlainDate.from(now.toISOString().slice(0, 10));
  if (
    !born ||
    born.year < EARLIEST ||
    Temporal.PlainDate.compare(born, today) > 0
  )
    return "date_of_birth_malformed";
  const grown = born.add({ years: minAge });
  return Temporal.PlainDate.compare(grown, today) > 0
    ? "date_of_birth_too_late"
    : undefined;
}

function readDate(text: string): Temporal.PlainDate | undefined {
  if (!DATE.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    return undefined;
  }
}
