import { counted } from "../plurals.ts";

/** The English texts about what happened to a post, a comment or an event. */
export const englishDetails = {
  links: "About this post",
  back: "Back",

  /** Between a noun on a button and its object: "Remove the bookmark of the post by Alice". */
  ofIt: (about: string) => `of ${about}`,
  history: {
    link: "Earlier versions",
    title: "Earlier versions",
    about: "Everybody who can read the current version can read these, too.",
    none: "It was never edited.",
    writtenAt: "Written",
    warning: "Content warning:",
    pictures: (n: number) => `${n} ${counted(n, "picture", "pictures")}`,
    noText: "Without text",
    newer: "Newer versions",
    older: "Older versions",
  },

  reception: {
    link: "Likes and reshares",
    title: "Likes and reshares",
    likes: "Likes",
    noLikes: "Nobody has liked it yet.",
    dislikes: "Dislikes",
    reshares: "Reshares",
    noReshares: "Nobody has reshared it yet.",
    reactions: "Reactions",
    more: "Older ones",
    fewer: "Newer ones",
  },

  deliveries: {
    link: "Deliveries",
    title: "Deliveries",
    about:
      "The other servers that get this post, and whether they have taken it. Only you see this page.",
    none: "No other server gets this post.",
    seenBy: "Who sees it",
    moreSee: (n: number) => `and ${n} more`,
    first: "First servers",
    next: "More servers",
    server: "Server",
    state: "State",
    time: "Time",
    states: {
      delivered: "Delivered",
      waiting: "Not yet: it will be tried again",
      failed: "Given up",
    },
  },

  mute: "Mute the conversation",
  unmute: "Unmute the conversation",
  muted: "You get no notifications from this conversation.",

  thread: {
    replyTo: (name: string) => `Reply to the comment by ${name}`,
    inAnswerTo: (name: string) => `In reply to ${name}`,
    more: (n: number) =>
      `Continue this thread: ${n} ${counted(n, "reply", "replies")}`,
    whole: "All comments on the post",
    unread: (n: number) =>
      `${n} unread ${counted(n, "comment", "comments")}: go to the first`,
    noReplies: "No replies yet.",
    ofOriginal: "Comments on the original post",
  },

  /** The people who see a post, beside its author’s name. */
  audience: {
    self: "Only me",
    followers: "My followers",
    all_aspects: "All my aspects",
    aspects: "Chosen aspects",
    people: "Chosen people",
    /** Follows “Limited”, for screen readers. */
    by: (name: string) => `by ${name}`,
    unlisted: "Everyone, unlisted",
  },

  /** The readers of a comment, below the field for it. */
  commentReach: {
    everyone:
      "Anybody on the web can read your comment, also without an account.",
    unlisted:
      "Anybody who has the link can read your comment, also without an account.",
    limited: "Everybody who sees this post can read your comment, nobody else.",
    self: "Only you can read your comment.",
  },

  readOn: "Read on",
  alt: "Description of the picture",
  undescribed: "Your picture has no description yet.",
  describeIt: "Describe it",
};
