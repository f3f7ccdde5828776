/** The English texts of reminders of events. */
export const englishReminders = {
  title: "Remind me",
  save: "Save",
  ofEvents: "Remind me of events",
  ofDays: "Remind me of events that last all day",
  usual: (when: string) => `As usual: ${when}`,
  never: "Never",
  atStart: "When it begins",
  minutes: (n: number) => (n === 1 ? "1 minute before" : `${n} minutes before`),
  hours: (n: number) => (n === 1 ? "1 hour before" : `${n} hours before`),
  days: (n: number) => (n === 1 ? "1 day before" : `${n} days before`),
  weeks: (n: number) => (n === 1 ? "1 week before" : `${n} weeks before`),
  /** @param time such as 9:00 */
  dayBefore: (time: string) => `The day before, at ${time}`,
};
