import type {
  Category,
  TargetKind,
} from "../../../../features/moderation/index.ts";
import type { Decision } from "../../../../features/suspensions/index.ts";

/** The English texts of the pages about people and reports. */
export const englishModeration = {
  noSuch: "There is nobody, or no report, of that kind.",
  refused: {
    forbidden: "That is not yours to decide.",
    conflict: "That would leave no admin, or has been reported anew.",
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
    } satisfies Record<Decision, string>,
    meaning: {
      suspend:
        "Nothing is taken from it or sent to it, nobody signs in to it, and nobody sees anything of it. All of it is kept.",
      silence:
        "Its public posts, and what it does, come to those alone who have it among their contacts.",
    },
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
