/** The English texts that the scripts of the pages show. */
export const englishScript = {
  picture: "Picture",
  previous: "Previous",
  next: "Next",
  close: "Close",
  completions: "Completions",
  restored: "Your unsent text is back.",
  sent: "Your comment has been added.",
  keys: "Keys",
  keysOff: "Switch all keys but ? off in this browser",
  keyActs: {
    j: "Next post",
    k: "Previous post",
    l: "Like it",
    r: "Reshare it",
    b: "Bookmark it",
    c: "Write",
    ".": "Show the new posts",
    "/": "Search",
    "g h": "Home",
    "g e": "Events",
    "g n": "Notifications",
    "g w": "The whole form for a post",
    "?": "These keys",
  },
  offline: {
    copy: "There is no network. This is a copy of your Home page, without its pictures, from",
    title: "No network",
    about:
      "This page needs the network, and your device has none, or does not reach this server.",
    again: "Try again",
    home: "Your last Home page",
    drafts: "Your unsent texts",
    draftsAbout:
      "You typed them in this browser. On your last Home page you can go on writing.",
    noDrafts: "This browser keeps no unsent text of yours.",
  },
};
