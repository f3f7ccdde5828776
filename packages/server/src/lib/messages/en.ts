import { withDetails, type Catalogue } from "./catalogue.ts";

export const english: Catalogue = {
  "calendars.preambel": ({ summary, start, end, location }) =>
    withDetails(`New event: ${summary}`, [
      ["Start", start],
      ["End", end],
      ["Location", location],
    ]),
  "calendars.untitled": () => "Event",
  "aspects.default": () => "Following",
  "calendars.first": () => "Calendar",
  "calendars.birthdays": () => "Birthdays",
  "calendars.birthdayOf": (name) => `Birthday of ${name}`,
};
