/** The English texts of announcements. */
export const englishAnnouncements = {
  title: "Announcements",
  about: "Everybody with an account here sees these above their posts.",
  none: "Nothing is announced.",
  text: "Text",
  textHint: "At most 5,000 characters, in Markdown.",
  startsAt: "Begins",
  endsAt: "Ends",
  timesHint:
    "For something that takes place at a time; in your time zone. It is shown until the end.",
  publish: "Announce to everybody",
  withdraw: "Withdraw",
  of: (number: number) => `announcement ${number}`,
  over: "over",
  dismiss: "Got it",
  gone: "This announcement was withdrawn already.",
  faults: {
    text: "An announcement needs a text.",
    time: "The times must be such as 31 January 2027, 18:30.",
    refused:
      "Nothing was announced. The text may have 5,000 characters, and the end must be in the future and not before the beginning.",
  },
};
