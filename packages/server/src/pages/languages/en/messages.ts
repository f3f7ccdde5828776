/** The English texts of private messages. */
export const englishMessages = {
  title: "Messages",
  about: "Private conversations with the people you name.",
  none: "No messages yet. Write one to somebody.",
  write: "New message",
  to: "To",
  toHint:
    "Addresses like name@host, with commas between. Everybody gets the messages of everybody else.",
  subject: "Subject",
  text: "Message",
  send: "Send",
  answer: "Your reply",
  unread: (n: number) => (n === 1 ? "1 new" : `${n} new`),
  with: "With",
  alone: "Nobody else is left in it.",
  earlier: "Earlier messages",
  later: "Later messages",
  newer: "Newer conversations",
  older: "Older conversations",
  hide: "Remove from my list",
  hideAbout:
    "The conversation comes back with its next message. The others do not learn of it.",
  leave: "Leave",
  leaveAbout:
    "No later message reaches you. The others do not learn of it, and it cannot be undone.",
  writeTo: "Write a message",
  blank: "Write something first.",
  nobody: "Name at least one person.",
  unknown: (address: string) =>
    `Nobody with the address ${address} was found. Check the spelling.`,
  refused:
    "The message was not sent. It may be for somebody who takes none from you.",
  tooManyPeople: (max: number) => `A message has at most ${max} recipients.`,
  longSubject: (max: number) => `A subject has at most ${max} characters.`,
  tooLong: (max: number) => `A message has at most ${max} characters.`,
  expired:
    "The form was out of date, so nothing was sent. Your words are still here: send them again.",
  signedOut:
    "You had been signed out, so nothing was sent. Your words are still here: send them now.",
};
