/** The English texts of streams that a user defines. */
export const englishStreams = {
  title: "Your streams",
  about:
    "A stream collects posts with any of its tags, by any of its people, or with a text that fits its pattern. Nobody else sees it.",
  none: "You have no streams yet.",
  create: "New stream",
  name: "Name",
  tags: "Tags",
  tagsHint: "With commas between them, such as hiking, maps",
  people: "People",
  peopleHint: "Their handles, with commas between them",
  expression: "Pattern",
  expressionHint:
    "A regular expression (RE2), such as (?i)hiking|maps. It looks at the newest posts that you may see.",
  save: "Save the stream",
  delete: "Delete this stream",
  back: "All your streams",
  empty: "No posts fit this stream yet.",
  faults: {
    name: "A stream needs a name.",
    noCondition:
      "A stream needs tags, people or a pattern: without any it would stay empty.",
    noTag: (names: string) => `This is not a tag: ${names}`,
    nobody: (names: string) =>
      `Nobody is known here as ${names}. Write whole addresses such as name@host, and search for the person first.`,
    refused:
      "The stream was not saved. The name may have 255 characters, there may be 100 tags and 100 people, the pattern must be a regular expression, and you can have 100 streams.",
  },
};
