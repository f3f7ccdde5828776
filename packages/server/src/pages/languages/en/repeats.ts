/** The English texts of events that repeat. */
export const englishRepeats = {
  legend: "Repeats",
  repeats: (rule: string) => `Repeats ${rule}.`,
  frequency: {
    once: "Does not repeat",
    daily: "Every day",
    weekly: "Every week",
    monthly: "Every month",
    yearly: "Every year",
    other: "As it does now",
  },
  how: "How often",
  more: "Interval, days and end",
  interval: "Every how many days, weeks, months or years",
  weekdays: "On these days, if it repeats by weeks",
  until: "Until",
  untilHint: "The last day. Leave it empty for no end.",
  count: "Or this many times",
  coming: "Coming dates",
  change: "Change this date",
  cancelled: "cancelled",
  one: "Change one date",
  oneAbout: (date: string) =>
    `Only the event on ${date} changes. The others of the series stay as they are.`,
  isCancelled: "It does not take place",
  faults: {
    interval: "Enter how often it repeats as a number from 1 to 10000.",
    until: "Enter the last day of the series, not before its first.",
    count: "Enter how often it takes place as a number from 1 to 2000.",
    both: "Enter either the last day or how often it takes place.",
    moved:
      "Some dates of this series were changed or taken out. Only a calendar program can move it to another time.",
  },
};
