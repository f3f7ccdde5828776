/** The English texts of the page that writes posts, and of drafts. */
export const englishCompose = {
  title: "Write",
  drafts: "Drafts and scheduled posts",
  check: "Check who sees it",
  save: "Save as a draft",
  publishTo: (n: number) =>
    n === 1 ? "Publish to 1 person" : `Publish to ${n} people`,
  rendered: "Preview",
  publishToEveryone: "Publish to everyone",
  publishToMe: "Publish to me only",
  reach: {
    everyone: "Anybody on the web sees it, also without an account.",
    unlisted:
      "Anybody who has the link sees it, also without an account. Public lists leave it out.",
    self: "Nobody sees it but you.",
    nobody: "Nobody would get it.",
    /** @param servers besides this one @param isHere is one of them on this server? */
    people: (n: number, servers: number, isHere: boolean) => {
      const who = n === 1 ? "1 person" : `${n} people`;
      if (servers === 0) return `${who} on this server.`;
      return isHere
        ? `${who}, on this server and ${servers === 1 ? "1 other" : `${servers} others`}.`
        : `${who} on ${servers === 1 ? "another server" : `${servers} other servers`}.`;
    },
    more: (n: number) => (n === 1 ? "and 1 more" : `and ${n} more`),
    noReshare: "They can’t reshare it.",
  },
  shortfalls: {
    mentions: "Mentioned, but won’t see it:",
    unreachable: "Can’t be reached:",
    listed: "These servers show it in their public lists anyway:",
    edits: "Later edits won’t reach these servers:",
    recordings: "These servers get only a link to your sound or video:",
  },
  pictures: "Pictures, sounds and videos",
  describe: "What does it show?",
  describeHint: "For people who do not see or hear it.",
  describeFirst:
    "Your files are attached. Describe them if you can, then publish.",
  addPictures: "Add pictures, sounds or videos",
  poll: "Poll",
  place: "Place",
  placeName: "Its name",
  placeHint:
    "Where you are, or were: everybody who sees the post sees it. Maps show the two numbers of a place, such as 52.52 and 13.405.",
  lat: "Latitude",
  lng: "Longitude",
  placeRefused:
    "A place has a latitude from -90 to 90 and a longitude from -180 to 180, and a name of at most 255 characters.",
  more: "Content warning, language, time",
  language: "Language of the post",
  noLanguage: "Not said",
  quotableBy: "Who may quote it, if it is public",
  quotableAsUsual: "As usual",
  quotable: {
    everyone: "Everyone",
    followers: "People who follow me",
    nobody: "Only me",
  },
  time: "Publish at",
  timeHint: (zone: string) =>
    `Leave it empty to publish now. The time is that of ${zone}.`,
  timeRefused: "Choose a time in the future, within two years.",
  saveRefused:
    "The draft was not saved: it is too long, or you have 100 drafts already.",
  gone: "This draft is gone: it was published or deleted.",
  failed: "This post was not published at its time.",
  failedReason: (reason: string) => `This server kept the reason: “${reason}”`,
  removeFile: (n: number) => `Remove file ${n}`,
  faults: {
    noAudience: "Choose who sees the post.",
    partGone:
      "A part of the post is gone: the event or the post that belongs to it was deleted.",
    refused:
      "The post was not published: this server does not take it as it is.",
    warningTooLong: (max: number) =>
      `A content warning has at most ${max} characters.`,
    tooManyFiles: (max: number) =>
      `There is room for ${max} pictures, sounds and videos. The first ${max} are attached, the others are not.`,
    filesGone:
      "A file that was attached is gone: it was deleted, or published elsewhere. It is left out here: check the rest, and send it again.",
    uploadTooLarge: (max: string) =>
      `The files are too large: this server takes at most ${max} at once. None of the new ones is attached. Check the rest of the form, and choose smaller files.`,
    bodyTooLarge: (max: string) =>
      `What you sent is larger than this server allows: at most ${max}. Go back, choose smaller files, and send it again.`,
    mentionsNobody:
      "The text mentions nobody known here. Mention somebody with @name@host, or choose other people to see the post.",
  },
  list: {
    none: "No drafts. Write something, and save it for later.",
    write: "Write",
    empty: "Without a text",
    edit: "Go on",
    publish: "Publish now",
    delete: "Delete",
    about: (beginning: string) => `“${beginning}”`,
    scheduled: "To be published:",
    saved: "Saved:",
    audience: "Who sees it:",
    refused:
      "The draft was not published. Open it: it may lack a text, or its audience or a picture is gone.",
    newer: "Newer drafts",
    older: "Older drafts",
  },
};
