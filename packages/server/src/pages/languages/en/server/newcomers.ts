/** The English texts about new accounts, and about the age of people who join. */
export const englishNewcomers = {
  noLinks: "New accounts here cannot write links yet. Leave the link out.",
  tooMany:
    "New accounts here can write only so much a day. Try it again later, or save a draft.",
  title: "New accounts",
  minAge: "Minimum age",
  minAgeHint:
    "In years; 0 for any. The date of birth is asked for at the sign-up, checked, and not stored.",
  days: "For how many days an account is new",
  daysHint:
    "0 for no limits. The limits do not hold for moderators and admins.",
  posts: "Posts and comments a day",
  follows: "People followed a day",
  limitHint: "0 for no limit.",
  links: "New accounts may write links",
  save: "Save the limits",
  refused:
    "Nothing was saved: enter whole numbers, at most 365 days, 10,000 a day and 120 years.",
  born: "Date of birth",
  bornHint: (years: number) =>
    years === 1
      ? "You must be at least 1 year old. The date is checked and not stored."
      : `You must be at least ${years} years old. The date is checked and not stored.`,
  faults: {
    username_reserved: "This name is reserved. Choose another one.",
    date_of_birth_blank: "Enter your date of birth.",
    date_of_birth_malformed:
      "Enter your date of birth as a date, such as 1990-12-31.",
    date_of_birth_too_late: "You are not old enough to join this server.",
  },
};
