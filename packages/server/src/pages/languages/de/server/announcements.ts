import type { englishAnnouncements } from "../../en/server/announcements.ts";

/** The German texts of announcements. */
export const germanAnnouncements: typeof englishAnnouncements = {
  title: "Ankündigungen",
  about:
    "Alle mit einem Konto auf diesem Server sehen sie über ihren Beiträgen.",
  none: "Nichts ist angekündigt.",
  text: "Wortlaut",
  textHint: "Höchstens 5.000 Zeichen, in Markdown.",
  startsAt: "Beginnt",
  endsAt: "Endet",
  timesHint:
    "Für etwas, das zu einer Zeit stattfindet; in deiner Zeitzone. Bis zum Ende ist es zu sehen.",
  publish: "Allen ankündigen",
  withdraw: "Zurückziehen",
  of: (number) => `Ankündigung ${number}`,
  over: "vorbei",
  dismiss: "Verstanden",
  gone: "Diese Ankündigung ist schon zurückgezogen.",
  faults: {
    text: "Eine Ankündigung braucht einen Wortlaut.",
    time: "Die Zeiten müssen etwa 31. Januar 2027, 18:30 lauten.",
    refused:
      "Nichts wurde angekündigt. Der Wortlaut darf 5.000 Zeichen haben, und das Ende muss in der Zukunft und nicht vor dem Beginn liegen.",
  },
};
