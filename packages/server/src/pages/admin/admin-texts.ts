/** What a page says once something was done. */
const NOTICES = {
  done: "Done.",
};

export type NoticeName = keyof typeof NOTICES;

/** Every word of the pages below /admin, in English. */
export const adminTexts = {
  title: "Administration",
  navigation: "Administration",
  notices: NOTICES as Readonly<Record<NoticeName, string>>,
  back: "Back to the list",
  older: "Older",
  newer: "Newer",

  overview: {
    title: "Overview",
    waiting: "What waits to be looked at",
    nothing: "Nothing waits to be looked at.",
    queue: "Work that waits",
    jobs: (waiting: number, dead: number) =>
      `${waiting} jobs wait to be done; ${dead} were given up.`,
  },
};
