import { KithError } from "../errors.ts";
import type { PropertyChanges } from "../properties.ts";

/** Changes of how a calendar looks. */
export type CalendarLook = {
  readonly name?: string | undefined;
  /** `#RRGGBB`; blank for none. */
  readonly color?: string | undefined;
};

/**
 * The property with which calendar programs keep the colour of a calendar: Apple's, which the
 * others use, too. `#RRGGBB`, or `#RRGGBBAA` with an alpha value.
 */
export const COLOR_PROPERTY = "http://apple.com/ns/ical/ calendar-color";

/**
 * The property of the name. It is stored where a program has chosen one that differs by blanks
 * from that of the calendar.
 */
export const NAME_PROPERTY = "DAV: displayname";

const COLOR = /^(#[0-9a-f]{6})([0-9a-f]{2})?$/i;

/**
 * The colour that a program or a person has chosen for a calendar.
 * @returns `#RRGGBB`, or null without one, or for a text that is none
 */
export function colorOf(
  properties: Readonly<Record<string, string>>,
): string | null {
  const [, color] = COLOR.exec(properties[COLOR_PROPERTY]?.trim() ?? "") ?? [];
  return color === undefined ? null : color.toUpperCase();
}

/**
 * The changes of properties by a new look. A name of its own takes the place of a program's.
 * @throws {KithError} `bad_request` for the colour
 */
export function lookChanges({ name, color }: CalendarLook): PropertyChanges {
  return {
    ...(name !== undefined && { [NAME_PROPERTY]: null }),
    ...(color !== undefined && colorChange(color.trim())),
  };
}

function colorChange(color: string): PropertyChanges {
  if (color === "") return { [COLOR_PROPERTY]: null };
  if (!/^#[0-9a-f]{6}$/i.test(color))
    throw new KithError(
      "bad_request",
      "The parameter “color” must be a colour such as #1E90FF, or blank for none.",
    );
  return { [COLOR_PROPERTY]: color.toUpperCase() };
}
