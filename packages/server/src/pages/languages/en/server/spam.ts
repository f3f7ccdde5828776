import type { SpamAction } from "../../../../features/spam-rules/index.ts";

/** The English texts of the pages about rules against spam. */
export const englishSpam = {
  title: "Spam rules",
  about:
    "Rules apply to posts, comments and messages from other servers, and to those of new accounts here. All conditions of a rule must hold. No rule applies to what comes from people who are followed by its readers here. Save a rule switched off, try it, and switch it on.",
  name: "Name of the rule",
  phrase: "The text contains this word or phrase",
  linkHost: "The text links this host or one below it",
  mentions: "At least this many people are mentioned",
  knownDays: "The author is known here for fewer days than",
  noContact: "Contacts of the author here",
  noContactChoices: { no: "any number", yes: "none at all" },
  action: "Action",
  actions: {
    note: "Only note it in the log",
    report: "Report it to the moderators",
    hold: "Hold it until a moderator decides",
    refuse: "Refuse it: it is not stored, and its server does not notice",
  } satisfies Record<SpamAction, string>,
  state: "State",
  states: { off: "switched off", on: "switched on" },
  set: "Save the rule",
  sameName: "A rule of the same name is replaced.",
  none: "There are no rules.",
  conditions: "Conditions",
  asPhrase: (phrase: string) => `text contains “${phrase}”`,
  asLinkHost: (host: string) => `link to ${host}`,
  asMentions: (count: number) => `at least ${count} mentions`,
  asKnownDays: (days: number) => `known for less than ${days} days`,
  asNoContact: "no contact here",
  switchOn: "Switch on",
  switchOff: "Switch off",
  delete: "Delete",
  rehearse: "Try",
  rehearsed: (name: string, read: number, days: number) =>
    `Of ${read} posts and comments of the last ${days} days, the rule “${name}” would have hit these:`,
  rehearsedNone: (name: string, read: number, days: number) =>
    `Of ${read} posts and comments of the last ${days} days, the rule “${name}” would have hit none.`,
  notWhole: "There may be more: only the newest were read or listed.",
  gone: "There is no such rule any more.",
  refused:
    "Nothing was saved. A rule needs a name of at most 100 characters, and a phrase of at most 200 characters, a host such as spam.example, or a number of mentions up to 100. Days are at most 3,650.",
  refusedText: "A rule of this server refuses this text.",
  logTitle: "Spam log",
  logAbout:
    "What rules have hit in the last 30 days, at most the newest 10,000. No text is kept here.",
  logNone: "No rule has hit anything.",
  when: "When",
  rule: "Rule",
  author: "Author",
  host: "Host",
  thing: "Post or comment",
  done: "Done",
  doneActions: {
    note: "noted",
    report: "reported",
    hold: "held",
    refuse: "refused",
  } satisfies Record<SpamAction, string>,
};
