/** The English texts of the home and of tags. */
export const englishHome = {
  title: "Home",
  tabs: "Which posts you see",
  tags: "Tags",
  here: "This server",
  all: "Everything known",
  following: "You follow",
  withReshares: "Show reshares",
  withoutReshares: "Hide reshares",
  withReplies: "Show replies",
  withoutReplies: "Hide replies",
  and: "and",
  others: (n: number) => (n === 1 ? "1 other person" : `${n} others`),
  reshared: (_n: number) => "reshared this",
  noMore: "There is nothing more.",
  empty:
    "Nothing here yet. Posts by the people in your aspects, posts with tags you follow, and your own will appear here.",
  emptyAspect:
    "Nothing here yet. What the people in this aspect write, and what you write to it, will appear here.",
  noTags: "You follow no tags yet. Open a tag and follow it to see its posts.",
  emptyTags: "No posts with these tags yet.",
  emptyAll: "No posts have reached this server yet.",
  emptyHere: "Nobody here has written anything public yet.",
  addPeople: "Add people to this aspect",
  findPeople: "Find people",
  findTags: "Find a tag to follow",
  firstSteps: "Your first steps",
  news: (n: number) =>
    n === 1 ? "1 new post" : n < 20 ? `${n} new posts` : "20 or more new posts",
  newEntries: (n: number) =>
    n === 1
      ? "1 new post or reply"
      : n < 20
        ? `${n} new posts and replies`
        : "20 or more new posts and replies",
  lookAround: "See everything this server knows",

  /** Beside the list, on wide screens. */
  side: {
    aspects: "Your aspects",
    arrange: "Arrange people and aspects",
    events: "Your next events",
    noEvents: "Nothing is planned.",
    plan: "Plan an event",
  },

  tag: {
    follow: (tag: string) => `Follow #${tag}`,
    unfollow: (tag: string) => `Unfollow #${tag}`,
    followed: "Posts with this tag appear in your home.",
    none: "No posts with this tag yet.",
    writeOne: "Write the first one",
    tooMany: "You follow as many tags as you can. Unfollow one first.",
  },
};
