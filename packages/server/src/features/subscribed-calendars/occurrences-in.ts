import {
  listOccurrences,
  type Range,
} from "../../lib/icalendar/occurrences.ts";
import {
  WorkBudgetError,
  type WorkBudget,
} from "../../lib/limits/work-budget.ts";
import { startInstant } from "../events/index.ts";
import type {
  SubscribedDetails,
  SubscribedObject,
} from "./subscribed-object-store.ts";

/** A time at which a subscribed event takes place. */
export type SubscribedOccurrence = Pick<
  SubscribedObject,
  "name" | "subscriptionId" | "uid"
> & {
  readonly details: Omit<SubscribedDetails, "recurrence">;
};

/** Of one series in one answer. */
const MOST = 100;

/** When they take place in a range, ordered by start. */
export function occurrencesOf(
  objects: readonly SubscribedObject[],
  range: Range,
  budget: WorkBudget,
): SubscribedOccurrence[] {
  return objects
    .flatMap(({ name, uid, subscriptionId, details }) =>
      timesOf(details, range, budget).map((time) => ({
        ...{ name, uid, subscriptionId, details: time },
      })),
    )
    .sort((one, other) =>
      startInstant(one.details) < startInstant(other.details) ? -1 : 1,
    );
}

function timesOf(
  { recurrence, ...details }: SubscribedDetails,
  range: Range,
  budget: WorkBudget,
): Omit<SubscribedDetails, "recurrence">[] {
  if (!recurrence) return [details];
  try {
    const series = { ...details, recurrence };
    return listOccurrences(series, range, MOST, budget).map(
      ({ start, end, changed }) => {
        const { isCancelled = false, at: _, ...changes } = changed ?? {};
        const status = isCancelled ? "cancelled" : details.status;
        return { ...details, ...changes, start, end, status };
      },
    );
  } catch (error) {
    // The last of those that take too long show no times.
    if (error instanceof WorkBudgetError) return [];
    throw error;
  }
}
