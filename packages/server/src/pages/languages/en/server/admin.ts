import type { BanKind, BanSeverity } from "../../../../features/bans/index.ts";
import type {
  HostDecision,
  LineOutcome,
} from "../../../../features/host-policies/index.ts";

/** Notices of completed acts. */
const NOTICES = {
  done: "Done.",
  approved: "The account is approved: it can sign in now.",
  rejected: "The registration is rejected, and its name is free again.",
  role_set: "The role is changed.",
  sessions_ended: "All sessions and tokens of the account have ended.",
  second_factor_reset:
    "The account has no second factor and no passkeys any more; all its sessions and tokens have ended.",
  revoked: "The invitation is revoked.",
  host_decided: "Decided. It is applied within a few moments.",
  host_list_imported: "The list is taken over. A job applies it soon.",
  host_list_undone: "The import is undone.",
  host_forgiven: "The decision about that server is removed.",
  banned: "The ban is in force.",
  ban_lifted: "The ban is lifted.",
  rule_set: "The rule is saved.",
  rule_on: "The rule applies now.",
  rule_off: "The rule no longer applies.",
  rule_deleted: "The rule is deleted. What it hit stays in the log.",
  relay_added: "The relay is asked. Its answer appears here.",
  relay_removed: "The relay is removed.",
  retried: "The jobs are due now.",
  saved: "What you changed is saved.",
  dropped: "The jobs are removed from the queue.",
};

export type NoticeName = keyof typeof NOTICES;

/** The English texts of the pages below /admin. */
export const englishAdmin = {
  title: "Administration",
  navigation: "Administration",
  notices: NOTICES as Readonly<Record<NoticeName, string>>,
  commandLine: "command line",

  overview: {
    title: "Overview",
    waiting: "Open tasks",
    nothing: "No open tasks.",
    queue: "Work that waits",
    jobs: (waiting: number, dead: number) =>
      `${waiting} jobs wait to be done; ${dead} were given up.`,
  },

  registrations: {
    title: "Registrations",
    none: "No pending registrations.",
    name: "Name",
    since: "Since",
    reason: "Why they want to join",
    decide: "Decision",
    noReason: "Nothing written.",
    approve: "Approve",
    reject: "Reject",
    gone: "This registration is no longer pending.",
  },

  accounts: {
    title: "Accounts",
    search: "Search",
    name: "Name",
    role: "Role",
    state: "State",
    any: "any",
    since: "Since",
    lastSeen: "Last seen",
    invitedBy: "Invited by",
    change: "Change",
    none: "No such account.",
    saveRole: "Save role",
    newPassword: "Give a new password",
    endSessions: "End sessions",
    resetSecondFactor: "Take away the second factor",
    ask: {
      role: {
        question: (name: string) => `Change the role of ${name}?`,
        button: "Change the role",
      },
      password: {
        question: (name: string) =>
          `Take away the password of ${name} and give a new one? All sessions and tokens end.`,
        button: "Give it",
      },
      sessions: {
        question: (name: string) => `End all sessions and tokens of ${name}?`,
        button: "End them",
      },
      second_factor: {
        question: (name: string) =>
          `Take away the second factor and the passkeys of ${name}? All sessions and tokens end.`,
        button: "Take them away",
      },
    },
    passwordOf: (name: string) => `The new password of ${name}`,
    passwordOnce:
      "It is shown only once. All sessions and tokens of the account have ended.",
    lastAdmin:
      "That did not work: at least one admin must remain, and closed accounts cannot be changed.",
    closed: "Closed accounts cannot be changed.",
    gone: "This account no longer exists.",
    roles: { user: "user", moderator: "moderator", admin: "admin" },
    states: {
      active: "active",
      pending: "pending",
      suspended: "suspended",
      closed: "closed",
    } as Record<string, string>,
  },

  hosts: {
    title: "Servers",
    about:
      "What is decided of a server holds for everything below its name as well.",
    host: "Server",
    decision: "Decision",
    decided: "Decided",
    since: "Since",
    reason: "Reason",
    decide: "Decide",
    forgive: "Take back",
    action: "Action",
    none: "No decisions about servers yet.",
    noHost: "That is not another server.",
    gone: "There is no decision about that server.",
    find: "Part of a name",
    search: "Search",
    more: (n: number) =>
      `${n} more decisions are not shown: search for a part of a name.`,
    lists: "Lists of servers",
    listsAbout:
      "A list makes decisions stricter and takes none back. Servers that you allowed stay allowed. An import can be undone as a whole.",
    list: "List",
    listHint:
      "The CSV file of a Mastodon server, or names of servers to block, one on each line",
    preview: "Show what it would do",
    previewTitle: "What the list would do",
    previewAbout:
      "Nothing is changed yet. People, contacts and posts are those known here, with all servers below the name; the contacts with a blocked server end.",
    apply: (n: number) =>
      n === 1 ? "Decide this about 1 server" : `Decide this about ${n} servers`,
    exported: "Your decisions as a list",
    imports: "Imported lists",
    by: "By",
    servers: "Servers",
    undo: "Undo",
    undone: "undone",
    noList: "That is no list of servers.",
    noImport: "This import does not exist, or is undone already.",
    moreLines: "Only the first thousand lines are shown.",
    line: "Line",
    outcome: "What comes of it",
    people: "People",
    contacts: "Contacts",
    posts: "Posts",
    outcomes: {
      new: "new",
      stricter: "stricter than now",
      same: "decided already",
      allowed: "you allow this server",
      own: "this server itself",
      hidden: "the name is hidden by stars",
      no_host: "not the name of a server",
      nothing: "the line decides nothing",
      severity: "an unknown severity",
      twice: "named before",
    } satisfies Record<LineOutcome, string>,
    decisions: {
      block: "Block: nothing is exchanged, its people are shown to nobody",
      silence: "Silence: its public posts come to contacts alone",
      reject_media: "Show no pictures of it",
      allow: "Allow, where only allowed servers take part",
    } satisfies Record<HostDecision, string>,
    states: {
      blocked: "blocked",
      silenced: "silenced",
      mediaRejected: "no pictures",
      allowed: "allowed",
    },
  },

  bans: {
    title: "Sign-up bans",
    about:
      "Bans keep mail domains with everything below them, single mail addresses and networks from signing up. Of a mail address only a hash is stored.",
    kind: "Kind",
    kinds: {
      mail_domain: "Mail domain",
      mail_address: "Mail address",
      network: "IP address, or range such as 192.0.2.0/24",
    } satisfies Record<BanKind, string>,
    value: "Domain, address or range",
    what: "Banned",
    severity: "Severity",
    severities: {
      approval: "Sign-ups need approval",
      no_sign_ups: "No sign-ups",
      no_access: "No access at all (networks only)",
    } satisfies Record<BanSeverity, string>,
    days: "Days until it ends (empty: no end)",
    comment: "Comment",
    since: "Since",
    until: "Until",
    action: "Action",
    noEnd: "no end",
    addressNumber: (id: number) => `Mail address, ban ${id}`,
    set: "Ban",
    lift: "Lift",
    none: "Nothing is banned.",
    gone: "There is no such ban any more.",
    refused:
      "That cannot be banned. A domain looks like example.org, an address like ann@example.org, a range like 192.0.2.0/24: at least /8, or /16 for IPv6. Only networks can lose all access, and not your own. A comment has at most 500 characters, and an end is at most 3,650 days away.",
  },

  queue: {
    title: "Queue and relays",
    waiting: "Work that waits",
    nothing: "Nothing waits.",
    kind: "Kind",
    host: "Server",
    counts: "Waiting / running / given up",
    error: "Last error",
    action: "Action",
    retry: "Try now",
    drop: "Drop",
    dropSure: "for ever",
    nobody: "none",
    relays: "Relays",
    noRelays: "This server takes part in no relay.",
    noActivityPub: "Relays need ActivityPub, which is switched off here.",
    address: "Address",
    answer: "Answer",
    add: "Ask a relay",
    remove: "Leave",
    noUrl:
      "A relay is named by the address of its inbox or of its actor, with https.",
    known: "This relay is in the list already.",
    gone: "There is no such relay.",
    unsure: "Select jobs, and confirm that they are dropped for ever.",
  },

  audit: {
    title: "Audit log",
    none: "Nothing was done yet.",
    when: "When",
    by: "By",
    action: "What",
    target: "To what",
    details: "Details",
  },
};
