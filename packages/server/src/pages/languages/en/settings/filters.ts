const count = (n: number, one: string, many: string) =>
  `${n} ${n === 1 ? one : many}`;

/** The English texts of the filters of words. */
export const englishFilters = {
  title: "Hidden words",
  about:
    "A filter keeps posts with certain words out of your way. It never looks at what you wrote yourself, and nobody else learns of it.",
  none: "You have no filters yet.",
  create: "New filter",
  change: "Change the filter",
  name: "Name",
  nameHint: "Shown in place of the posts that it folds.",
  parts: "Words or phrases",
  partsHint: "One on each line. They are found within longer words, too.",
  wholes: "Whole words only",
  wholesHint: "One on each line.",
  where: "Where it applies",
  contexts: {
    home: "My home and the tags I follow",
    public: "Public lists and pages of tags",
    thread: "Comments",
    account: "Profiles",
    notifications: "Notifications",
  },
  what: "What happens to posts with these words",
  actions: {
    warn: "Fold them: a tap opens them",
    hide: "Leave them out",
    blur: "Blur only their pictures in apps, and fold them here",
  },
  until: "Until",
  untilHint: "Leave it empty to keep the filter for good.",
  ends: "until",
  keywords: (n: number) => count(n, "word", "words"),
  save: "Save the filter",
  delete: "Delete this filter",
  back: "All filters",
  filtered: (titles: string) => `Filtered: ${titles}`,
  faults: {
    title: "A filter needs a name.",
    until: "The end must be a time, such as 31 January 2027, 18:30.",
    refused:
      "A filter needs a name of at most 100 characters, at least one word or phrase of at most 100 characters, at least one place where it applies, and an end in the future if it has one. You can have 50 filters with 100 words in all.",
  },
};
