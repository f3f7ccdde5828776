import type ICAL from "ical.js";
import { parseCalendar } from "../calendar-data.ts";

/** A condition on a property or a parameter: it is missing, or some value of it matches. */
type ValueCondition = {
  /** In lowercase. */
  readonly name: string;
  readonly isAbsent: boolean;
  /** Any value matches without it. */
  readonly matches: ((value: string) => boolean) | undefined;
};

export type PropertyCondition = ValueCondition & {
  readonly parameters: readonly ValueCondition[];
};

/** The conditions of a search on one object; some event has to meet all of its own. */
export type ObjectConditions = {
  readonly ofCalendar: readonly PropertyCondition[];
  readonly ofEvent: readonly PropertyCondition[];
  /** Components inside of the event, such as alarms. */
  readonly inside: readonly Pick<ValueCondition, "isAbsent" | "name">[];
};

export function matchesObject(
  text: string,
  { ofCalendar, ofEvent, inside }: ObjectConditions,
): boolean {
  const root = parseCalendar(text, Infinity);
  const meets = (event: ICAL.Component) =>
    ofEvent.every((condition) => meetsProperty(event, condition)) &&
    inside.every(
      ({ name, isAbsent }) =>
        (event.getFirstSubcomponent(name) === null) === isAbsent,
    );
  return (
    ofCalendar.every((condition) => meetsProperty(root, condition)) &&
    root.getAllSubcomponents("vevent").some(meets)
  );
}

function meetsProperty(
  component: ICAL.Component,
  { name, isAbsent, matches, parameters }: PropertyCondition,
): boolean {
  const all = component.getAllProperties(name);
  if (isAbsent) return all.length === 0;
  return all.some(
    (property) =>
      (!matches || property.getValues().some((it) => matches(String(it)))) &&
      parameters.every((condition) => meetsParameter(property, condition)),
  );
}

function meetsParameter(
  property: ICAL.Property,
  { name, isAbsent, matches }: ValueCondition,
): boolean {
  const value = property.getFirstParameter(name) as string | undefined;
  if (isAbsent || value === undefined)
    return isAbsent === (value === undefined);
  return !matches || matches(String(value));
}
