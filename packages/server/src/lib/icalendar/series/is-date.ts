import type { WorkBudget } from "../../limits/work-budget.ts";
import { midnightOf } from "../../time/datetime.ts";
import type { Series } from "../occurrences.ts";
import { listRuleDates } from "./rule-dates.ts";

/**
 * Does the series have an event begin then, whether it is changed or removed?
 * @param at in the form of its start
 */
export function isDateOfSeries(
  series: Series,
  at: string,
  budget: WorkBudget,
): boolean {
  const { start, allDay, recurrence } = series;
  const { rule, added } = recurrence;
  if (at === start || added.includes(at)) return true;
  if (rule === null) return false;
  const ms = Date.parse(allDay ? midnightOf(at) : at);
  return listRuleDates({ ...series, rule }, ms, ms, 1, budget).length > 0;
}
