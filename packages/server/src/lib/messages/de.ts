import { withDetails, type Catalogue } from "./catalogue.ts";

export const german: Catalogue = {
  "calendars.preambel": ({ summary, start, end, location, repeats }) =>
    withDetails(`Neuer Termin: ${summary}`, [
      ["Beginn", start],
      ["Ende", end],
      ["Wiederholung", repeats],
      ["Ort", location],
    ]),
  "calendars.untitled": () => "Termin",
  "aspects.default": () => "Ich folge",
  "calendars.first": () => "Kalender",
  "calendars.birthdays": () => "Geburtstage",
  "calendars.birthdayOf": (name) => `Geburtstag von ${name}`,
};
