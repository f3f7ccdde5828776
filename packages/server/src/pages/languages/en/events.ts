const count = (n: number, one: string, many: string) =>
  `${n} ${n === 1 ? one : many}`;

/** The English texts of events. */
export const englishEvents = {
  title: "Event",
  untitled: "Event without a name",
  by: "Organised by",
  allDay: (days: string) => `${days}, all day`,
  yourTime: (time: string) => `${time} (your time)`,
  localTime: (time: string, zone: string) => `${time} (${zone})`,
  where: "Where",
  about: "About",
  categories: "Categories",
  capacity: (n: number) => `Room for ${count(n, "person", "people")}.`,
  status: {
    cancelled: "This event is cancelled.",
    postponed: "This event is postponed.",
    tentative: "This event is not certain yet.",
  },
  over: "This event is over.",
  everyone: "Everyone",
  limited: "Limited",
  onlyMe: "Only me",
  guests: "Who comes",
  going: (n: number) => `${n} going`,
  maybe: (n: number) => `${n} maybe`,
  cannot: (n: number) => `${n} can’t come`,
  noGuests: "Nobody has answered yet.",
  moreGuests: "Only the newest answers are listed.",
  answers: {
    accepted: "Going",
    tentative: "Maybe",
    declined: "Can’t",
  },
  yourAnswer: "Do you come?",
  signIn: "Sign in to answer",
  file: "Add to my calendar (.ics)",
  full: "The event is full, so your answer was not changed.",
  expired: "The form was out of date. Please answer again.",
};
