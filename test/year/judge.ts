import { MEDIA_BUDGET_MB, type Month, type YearReport } from "./year.ts";

/** Months until caches and queries have their usual size. */
const WARM_UP = 2;
/** Times the memory of the months after that, with three times the people. */
const MAX_GROWTH = 1.5;

/** The promises of a year: @returns those that were broken, in words */
export function judge({ months, faults }: YearReport): string[] {
  const usual = months.slice(WARM_UP);
  const [first] = usual;
  return [
    ...faults,
    ...months
      .filter(({ cacheMb }) => cacheMb > MEDIA_BUDGET_MB)
      .map(({ day, cacheMb }) => `day ${day}: ${cacheMb} MB of cached media`),
    ...(first ? usual.filter((it) => hasGrown(first, it)) : []).map(
      ({ day, heapMb }) => `day ${day}: ${heapMb} MB of live memory`,
    ),
  ];
}

const hasGrown = (first: Month, { heapMb }: Month): boolean =>
  heapMb > first.heapMb * MAX_GROWTH;
