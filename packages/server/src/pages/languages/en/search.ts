/** The English texts of the search. */
export const englishSearch = {
  title: "Search",
  titleOf: (query: string) => `Search for “${query}”`,
  label: "Search for people, tags and posts",
  hint: "Words, a #tag, or an address like name@host. Among posts, it searches what you wrote, received or took part in, and public posts of people who allow it.",
  search: "Search",
  kinds: "What is shown",
  everything: "All",
  people: "People",
  tags: "Tags",
  posts: "Posts",
  more: {
    people: "More people",
    tags: "More tags",
    posts: "More posts",
  },
  pages: { previous: "Previous results", next: "More results" },
  nothing:
    "Nothing was found. Check the spelling, or try fewer words. People on other servers are found by their whole address, like name@host.",
  none: {
    people:
      "Nobody was found. Check the spelling; people on other servers are found by their whole address.",
    tags: "No tag begins like this.",
    posts: "No posts were found. Try fewer or other words.",
  },
  cut: "There may be more: narrow the search to find the rest.",
  refused:
    "This search was not understood. See below what can be searched for.",
  tooLong: (max: number) => `A search has at most ${max} characters.`,
  help: {
    title: "What you can type",
    about:
      "Each part narrows the search. A minus in front leaves something out.",
    lines: {
      words: { typed: "cherry cake", finds: "Posts with both words." },
      phrase: {
        typed: '"cherry cake"',
        finds: "The words next to each other.",
      },
      without: {
        typed: "cake -cherry",
        finds: "The first word, without the second.",
      },
      tag: { typed: "#garden", finds: "Posts with this tag." },
      from: {
        typed: "from:carol@kith.example",
        finds: "What one person wrote; from:me is what you wrote.",
      },
      has: {
        typed: "has:photo",
        finds: "Posts with a picture; also has:poll, has:link, has:event.",
      },
      between: {
        typed: "after:2026-12-24 before:2027-01-07",
        finds: "Posts between two days.",
      },
      within: {
        typed: "in:library",
        finds:
          "What you wrote, received or took part in; in:public finds public posts, and the name of an aspect what its members wrote.",
      },
    },
  },
};
