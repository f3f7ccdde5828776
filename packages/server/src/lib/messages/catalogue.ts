/**
 * Every sentence that the server writes in a user's name, with its parameters.
 * A language is an object of this type, so that a missing sentence does not
 * compile.
 */
export type Catalogue = {
  /** The aspect of people who were followed without naming one. */
  readonly "aspects.default": () => string;
  /** The post that announces an event. Missing details are empty. */
  readonly "calendars.preambel": (event: {
    readonly summary: string;
    readonly start: string;
    readonly end: string;
    readonly location: string;
    readonly repeats: string;
  }) => string;
  /** The placeholder for an event without a name. */
  readonly "calendars.untitled": () => string;
  /** The calendar of a user who has made none. */
  readonly "calendars.first": () => string;
  /** The calendar of the birthdays of contacts, and one of these. */
  readonly "calendars.birthdays": () => string;
  readonly "calendars.birthdayOf": (name: string) => string;
};

export type MessageKey = keyof Catalogue;

/**
 * A heading and, after an empty line, one line for each detail that is present.
 */
export function withDetails(
  heading: string,
  details: readonly (readonly [label: string, value: string])[],
): string {
  const lines = details
    .filter(([, value]) => value !== "")
    .map(([label, value]) => `${label}: ${value}`);
  return lines.length === 0 ? heading : `${heading}\n\n${lines.join("\n")}`;
}
