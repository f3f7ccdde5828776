import { withDetails, type Catalogue } from "./catalogue.ts";

export const english: Catalogue = {
  "calendars.preambel": ({ summary, start, end, location, repeats }) =>
    withDetails(`New event: ${summary}`, [
      ["Start", start],
      ["End", end],
      ["Repeats", repeats],
      ["Location", location],
    ]),
  "calendars.untitled": () => "Event",
  "aspects.default": () => "Following",
  "calendars.first": () => "Calendar",
  "calendars.birthdays": () => "Birthdays",
  "calendars.birthdayOf": (name) => `Birthday of ${name}`,
};
