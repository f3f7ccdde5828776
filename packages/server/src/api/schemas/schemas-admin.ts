import type { TSchema } from "typebox";
import { CATEGORIES } from "../../features/moderation/index.ts";
import { Type } from "../../lib/json-schema.ts";
import {
  count,
  exactly,
  boolean,
  guid,
  id,
  name,
  orNull,
  ref,
  time,
} from "./schema-parts.ts";

/** As `LineOutcome` of the feature. */
const LINE_OUTCOMES = [
  ...["new", "stricter", "same", "allowed", "own"],
  ...["hidden", "no_host", "nothing", "severity", "twice"],
];

const oneOf = (...values: readonly string[]) =>
  Type.String({ enum: [...values] });

const REPORT = {
  ID: id,
  CreatedAt: time,
  Category: oneOf(...CATEGORIES),
  Text: name,
  TargetType: oneOf("Person", "Post", "Comment"),
  TargetGuid: orNull(guid),
  PersonID: orNull(id),
  Forwarded: boolean,
  Open: boolean,
};

const FOUND = {
  At: time,
  Type: oneOf("post", "comment"),
  /** The address, or the Guid where there is none. */
  Thing: name,
  Author: name,
  Host: name,
};

const STRIKE = {
  ID: id,
  Guid: guid,
  CreatedAt: time,
  PersonID: id,
  Action: oneOf("warn", "silence", "suspend", "remove_post", "remove_comment"),
  /** The words for the person. */
  Message: name,
  /** The beginning of a removed text. */
  Excerpt: orNull(name),
  /** When it was taken back. */
  EndedAt: orNull(time),
  /** Until when it can be appealed; null if it cannot. */
  AppealUntil: orNull(time),
  Appeal: orNull(name),
  AppealedAt: orNull(time),
  AppealState: oneOf("none", "open", "accepted", "rejected"),
  DecidedAt: orNull(time),
};

const ANNOUNCEMENT = {
  ID: id,
  CreatedAt: time,
  /** Markdown. */
  Text: name,
  StartsAt: orNull(time),
  EndsAt: orNull(time),
};

const INVITATION = {
  ID: id,
  CreatedAt: time,
  By: name,
  State: oneOf("open", "used_up", "expired", "revoked"),
  Uses: count,
  MaxUses: count,
  ExpiresAt: time,
};

/** The records of the administration, in the form of `RECORDS`. */
export const ADMIN_RECORDS: Readonly<Record<string, TSchema>> = {
  /** The numbers of open tasks. */
  AdminOverview: exactly({
    PendingRegistrations: count,
    JobsWaiting: count,
    JobsGivenUp: count,
    OpenReports: count,
    OpenAppeals: count,
    HeldTexts: count,
  }),
  /** A person with the moderators' decisions. */
  AdminPerson: exactly({
    ID: id,
    Person: ref("Person"),
    Role: orNull(Type.String({ enum: ["user", "moderator", "admin"] })),
    Gone: boolean,
    Shown: boolean,
    Suspended: boolean,
    SuspensionReason: name,
    SuspendedAt: orNull(time),
    Silenced: boolean,
    SilenceReason: name,
    SilencedAt: orNull(time),
  }),
  /** A decision of the moderators about a person here, as the person reads it. */
  Strike: exactly(STRIKE),
  /** The same for moderators, with the person who appeals. */
  AdminAppeal: exactly({ ...STRIKE, Person: orNull(ref("Person")) }),
  /** A report as its author sees it. */
  Report: exactly(REPORT),
  /** A report for moderators; `Notes` are included if it is requested alone. */
  AdminReport: exactly({
    ...REPORT,
    Host: name,
    Objects: Type.Array(name),
    Evidence: orNull(name),
    Person: orNull(ref("Person")),
    Reporter: orNull(ref("Person")),
    Assignee: orNull(name),
    Resolution: orNull(name),
    Resolver: orNull(name),
    ResolvedAt: orNull(time),
    Notes: Type.Array(ref("ReportNote")),
  }),
  ReportNote: exactly({ ID: id, CreatedAt: time, By: name, Text: name }),
  /** An administrative act and its author: a username, or the command line. */
  AuditEntry: exactly({
    ID: id,
    CreatedAt: time,
    By: name,
    Action: name,
    Target: name,
    Details: name,
  }),
  /** A pending registration, with the reason given for joining. */
  Registration: exactly({
    ID: id,
    CreatedAt: time,
    Username: name,
    Reason: name,
  }),
  /** An account, for the administration. */
  Account: exactly({
    ID: id,
    CreatedAt: time,
    Username: name,
    Role: oneOf("user", "moderator", "admin"),
    State: name,
    LastSeenAt: orNull(time),
    InvitedBy: orNull(name),
  }),
  /** Shown once. */
  NewPassword: exactly({ Password: name }),
  /** An announcement to everybody here, and whether the caller has put it away. */
  Announcement: exactly({ ...ANNOUNCEMENT, Dismissed: boolean }),
  MadeAnnouncement: exactly(ANNOUNCEMENT),
  Invitation: exactly(INVITATION),
  /** With its link, which is shown once. */
  NewInvitation: exactly({ ...INVITATION, Url: name }),
  /** Of a mail address its value is a hash. */
  Ban: exactly({
    ID: id,
    CreatedAt: time,
    Kind: oneOf("mail_domain", "mail_address", "network"),
    Value: name,
    Severity: oneOf("approval", "no_sign_ups", "no_access"),
    Comment: name,
    ExpiresAt: orNull(time),
  }),
  /** A rule against spam; null is what it does not ask. */
  SpamRule: exactly({
    ID: id,
    CreatedAt: time,
    UpdatedAt: time,
    Name: name,
    Phrase: orNull(name),
    LinkHost: orNull(name),
    Mentions: orNull(count),
    KnownDays: orNull(count),
    NoContact: boolean,
    Action: oneOf("note", "report", "hold", "refuse"),
    On: boolean,
  }),
  /** A hit of a rule, without any text. */
  SpamHit: exactly({
    ID: id,
    Rule: name,
    Action: oneOf("note", "report", "hold", "refuse"),
    ...FOUND,
  }),
  /** The hits that a rule would have had. */
  SpamRehearsal: exactly({
    /** How many posts and comments were read. */
    Read: count,
    /** Was everything of that time read, and all of the hits listed? */
    Whole: boolean,
    Hits: Type.Array(exactly(FOUND), { maxItems: 200 }),
  }),
  /** A text that waits for a moderator, for its author and moderators. */
  HeldText: exactly({
    ID: id,
    Guid: name,
    CreatedAt: time,
    Type: oneOf("post", "comment"),
    Text: name,
    ContentWarning: orNull(name),
    /** Will everyone see it once it is approved? */
    Public: boolean,
    /** The post that a comment is on. */
    PostGuid: orNull(name),
    /** The name of the rule that holds it. */
    Rule: name,
    Person: orNull(ref("Person")),
  }),
  /** The policy for a server and its subdomains. */
  HostPolicy: exactly({
    Host: name,
    Blocked: boolean,
    Silenced: boolean,
    MediaRejected: boolean,
    Allowed: boolean,
    Reason: name,
    CreatedAt: time,
    UpdatedAt: time,
  }),
  HostImport: exactly({
    /** By which it is undone; null if nothing changed. */
    ImportID: orNull(id),
    Lines: Type.Array(ref("HostLine")),
  }),
  /** A line of a list of hosts, and what comes of it. */
  HostLine: exactly({
    Line: count,
    Name: name,
    Outcome: oneOf(...LINE_OUTCOMES),
    /** The decision after it; null for a line that changes nothing. */
    Decision: orNull(oneOf("block", "silence", "reject_media")),
    /** The people known here, with their contacts and posts. */
    People: count,
    Contacts: count,
    Posts: count,
  }),
  HostImportDone: exactly({
    ID: id,
    CreatedAt: time,
    By: name,
    Hosts: count,
    UndoneAt: orNull(time),
  }),
  HostImportUndone: exactly({
    Restored: Type.Array(name),
    /** Decided otherwise since, and left alone. */
    Left: Type.Array(name),
  }),
  HostList: exactly({
    /** A CSV file. */
    List: name,
  }),
  Relay: exactly({
    ID: id,
    CreatedAt: time,
    Url: name,
    Kind: oneOf("inbox", "actor"),
    State: oneOf("pending", "accepted", "rejected"),
  }),
  /** Jobs of one kind that depend on one server. */
  JobGroup: exactly({
    Kind: name,
    Host: orNull(name),
    Waiting: count,
    Running: count,
    GivenUp: count,
    OldestAt: time,
    NextAt: orNull(time),
    LastError: orNull(name),
  }),
  JobsRetried: exactly({ Waiting: count, GivenUp: count }),
  /** The description of a server, with texts in Markdown. */
  Server: exactly({
    Name: name,
    Description: name,
    Rules: name,
    Registration: oneOf("open", "approval", "closed"),
    Joining: name,
    Terms: name,
    Privacy: name,
    Contact: name,
    ContactMail: name,
    Language: name,
    AccentLight: name,
    AccentDark: name,
    Style: name,
    NewcomerDays: count,
    NewcomerPosts: count,
    NewcomerFollows: count,
    NewcomerLinks: boolean,
    MinAge: count,
    Picture: name,
  }),
  JobsDropped: exactly({ Dropped: count, Running: count }),
};
