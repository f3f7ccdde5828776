import { counted } from "../plurals.ts";

/** The English texts about what happened to a post, a comment or an event. */
export const englishDetails = {
  links: "About this post",
  back: "Back",

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
};
