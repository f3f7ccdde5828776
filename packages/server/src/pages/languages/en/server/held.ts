import type { ShownHeldText } from "../../../../features/held-texts/index.ts";

/** The English texts about texts that rules hold until a moderator decides. */
export const englishHeld = {
  title: "Held texts",
  about:
    "Rules hold these texts until you decide. Only their authors and moderators see them. Approved texts are delivered, and people are notified. Refused ones are deleted; their authors here learn of it and may appeal.",
  none: "No texts are held.",
  author: "Author",
  text: "Text",
  rule: "Rule",
  decision: "Decision",
  kinds: {
    post: "post",
    comment: "comment",
  } satisfies Record<ShownHeldText["kind"], string>,
  isPublic: "for everyone",
  isLimited: "for some people",
  release: "Approve",
  refuse: "Refuse and delete",
  /** For the author. */
  own: "Your held texts",
  ownAbout:
    "A rule of this server holds them until a moderator decides. Until then only you and the moderators see them.",
  withdraw: "Withdraw and delete",
  withdrawn: "The text is deleted.",
  gone: "This text is no longer held.",
  waits:
    "Your text is kept and waits for a moderator: a rule of this server holds it. You need not send it again. It is in your settings under “Decisions about you”.",
  postWaits:
    "A rule of this server holds this post until a moderator decides. Until then only you and the moderators see it.",
};
