import type {
  Category,
  TargetKind,
} from "../../../../features/moderation/index.ts";
import type { StrikeAction } from "../../../../features/strikes/index.ts";
import type { Decision } from "../../../../features/suspensions/index.ts";

/** The English texts of the pages about people and reports. */
export const englishModeration = {
  noSuch: "There is nobody, or no report, of that kind.",
  refused: {
    forbidden: "That is not yours to decide.",
    conflict:
      "That would leave no admin, has been reported anew, or was decided already.",
    bad_request: "That is too long, or there is nothing to take away.",
    empty_string: "Write something first.",
    not_found: "It is not here any more.",
  } as Readonly<Record<string, string>>,

  people: {
    title: "People",
    handle: "Handle",
    hint: "The whole handle, or the name alone of somebody here.",
    search: "Search",
    nobody: "No person with that handle is known here.",
    decided: "People with decisions",
    nothingDecided: "No decisions about people yet.",
    state: "State",
    since: "since",
    reason: "Reason",
    suspended: "suspended",
    silenced: "silenced",
    gone: "has left",
    hostBlocked: "hidden, as its server is blocked",
    nothing: "nothing was decided",
    role: "Role",
    elsewhere: "elsewhere",
    reports: "Reports about this person",
    noReports: "None.",
    buttons: {
      suspend: "Suspend",
      unsuspend: "End the suspension",
      silence: "Silence",
      unsilence: "End the silence",
      warn: "Warn",
    } satisfies Record<Decision, string>,
    meaning: {
      suspend:
        "Nothing is taken from it or sent to it, nobody signs in to it, and nobody sees anything of it. All of it is kept.",
      silence:
        "Its public posts, and what it does, come to those alone who have it among their contacts.",
      warn: "The person reads your words and may appeal; nothing else changes.",
    },
    message: "What the person is told; your name is not",
    strikes: "Decisions so far",
  },

  appeals: {
    title: "Appeals",
    about:
      "What people say against decisions about them. If you accept an appeal, the decision is taken back. They are told the answer, without your name.",
    open: "Open",
    closed: "Answered",
    none: "There are no appeals here.",
    person: "Person",
    decision: "Decision",
    message: "The person was told",
    says: "Appeal",
    answer: "Answer",
    nobody: "nobody",
    staysGone: "The deleted text does not come back.",
    actions: {
      warn: "warned",
      silence: "silenced",
      suspend: "suspended",
      remove_post: "post deleted",
      remove_comment: "comment deleted",
    } satisfies Record<StrikeAction, string>,
    states: { open: "waits", accepted: "accepted", rejected: "rejected" },
    buttons: { accept: "Accept", reject: "Reject" },
  },

  reports: {
    title: "Reports",
    open: "Open",
    closed: "Closed",
    none: "There are no reports here.",
    number: "Number",
    reported: "Reported",
    about: "About",
    kind: "Kind",
    says: "Says",
    from: "From",
    taken: "Taken by",
    nobody: "nobody",
    whole: (id: number) => `Report ${id}`,
    evidence: "The text, as it was when it was reported",
    names: "It names",
    isForwarded: "The person’s server was notified, too.",
    isNotForwarded: "No other server was notified.",
    notes: "Notes",
    note: "Note for other moderators",
    closedBy: (name: string) => `Closed by ${name}`,
    whatWasDone: "What was done",
    buttons: {
      take: "Take it",
      leave: "Leave it to others",
      note: "Note",
      resolve: "Close",
      reopen: "Open again",
      remove: "Take the reported text away",
    },
    removeMeaning:
      "A text from here is deleted everywhere, one from elsewhere here. It cannot be brought back; this report keeps it.",
    person: "The person",
    categories: {
      spam: "spam",
      legal: "against the law",
      violation: "against the rules",
      other: "something else",
    } satisfies Record<Category, string>,
    targets: {
      person: "a person",
      post: "a post",
      comment: "a comment",
    } satisfies Record<TargetKind, string>,
  },
};
