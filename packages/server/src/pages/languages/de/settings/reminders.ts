import type { englishReminders } from "../../en/settings/reminders.ts";

/** The German texts of reminders of events. */
export const germanReminders: typeof englishReminders = {
  title: "Mich erinnern",
  save: "Speichern",
  ofEvents: "An Termine erinnern",
  ofDays: "An ganztägige Termine erinnern",
  usual: (when) => `Wie üblich: ${when}`,
  never: "Nie",
  atStart: "Zu Beginn",
  minutes: (n) => (n === 1 ? "1 Minute vorher" : `${n} Minuten vorher`),
  hours: (n) => (n === 1 ? "1 Stunde vorher" : `${n} Stunden vorher`),
  days: (n) => (n === 1 ? "1 Tag vorher" : `${n} Tage vorher`),
  weeks: (n) => (n === 1 ? "1 Woche vorher" : `${n} Wochen vorher`),
  dayBefore: (time) => `Am Tag davor um ${time} Uhr`,
};
