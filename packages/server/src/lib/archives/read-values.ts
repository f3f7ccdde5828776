/** An RFC 3339 time, in a year with four digits. */
const TIME =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/** Is this a time with its zone? */
export function isTime(value: unknown): value is string {
  return (
    typeof value === "string" &&
    TIME.test(value) &&
    Number.isFinite(Date.parse(value))
  );
}

/** Reads a focal point: two numbers from -1 to 1. @returns null for anything else */
export function readFocalPoint(
  value: unknown,
): readonly [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [x, y] = value as unknown[];
  return isPart(x) && isPart(y) ? [x, y] : null;
}

const isPart = (value: unknown): value is number =>
  typeof value === "number" && value >= -1 && value <= 1;
