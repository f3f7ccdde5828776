import type { StrikeAction } from "../../../../features/strikes/index.ts";

/** The English texts about decisions of moderators, for those whom they concern. */
export const englishStrikes = {
  title: "Decisions about you",
  linkAbout: "What the moderators decided about your account, and appeals",
  about:
    "What the moderators of this server decided about your account and your texts. You can appeal against each decision once, within 20 days.",
  none: "The moderators have decided nothing about you.",
  suspended: "Why it is suspended",
  actions: {
    warn: "You were warned",
    silence: "Your account is silenced",
    suspend: "Your account is suspended",
    remove_post: "A post of yours was deleted",
    remove_comment: "A comment of yours was deleted",
  } satisfies Record<StrikeAction, string>,
  /** Once they were taken back. */
  ended: {
    warn: "You were warned",
    silence: "Your account was silenced",
    suspend: "Your account was suspended",
    remove_post: "A post of yours was deleted",
    remove_comment: "A comment of yours was deleted",
  } satisfies Record<StrikeAction, string>,
  message: "The moderators say",
  noMessage: "The moderators gave no reason.",
  excerpt: "The text began",
  isEnded: "This decision was taken back.",
  appeal: "Your appeal",
  states: {
    open: "Your appeal waits for an answer.",
    accepted: "Your appeal was accepted.",
    rejected: "Your appeal was rejected.",
  },
  text: "Why the decision is wrong",
  hint: (most: number) =>
    `At most ${most} characters. You can appeal once against this decision.`,
  send: "Appeal",
  sent: "Your appeal is with the moderators.",
  tooLate:
    "This decision cannot be appealed: it was already, is too old, or was taken back.",
  blank: "Write why the decision is wrong.",
  tooLong: (most: number) => `An appeal has at most ${most} characters.`,
  proofEnded: "Sign in again: this page has waited for too long.",
};
