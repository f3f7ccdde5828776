import type { TSchema } from "typebox";
import { CATEGORIES } from "../features/moderation/index.ts";
import { Type } from "../lib/json-schema.ts";
import {
  count,
  exactly,
  flag,
  guid,
  id,
  name,
  orNull,
  ref,
  time,
} from "./schema-parts.ts";

const REPORT = {
  ID: id,
  CreatedAt: time,
  Category: Type.String({ enum: [...CATEGORIES] }),
  Text: name,
  TargetType: Type.String({ enum: ["Person", "Post", "Comment"] }),
  TargetGuid: orNull(guid),
  PersonID: orNull(id),
  Forwarded: flag,
  Open: flag,
};

/** The records of those who run this server, as `RECORDS` has them. */
export const ADMIN_RECORDS: Readonly<Record<string, TSchema>> = {
  /** How much there is to do. */
  AdminOverview: exactly({
    PendingRegistrations: count,
    JobsWaiting: count,
    JobsGivenUp: count,
    OpenReports: count,
  }),
  /** A person with what was decided of it. */
  AdminPerson: exactly({
    ID: id,
    Person: ref("Person"),
    Role: orNull(Type.String({ enum: ["user", "moderator", "admin"] })),
    Gone: flag,
    Shown: flag,
    Suspended: flag,
    SuspensionReason: name,
    SuspendedAt: orNull(time),
    Silenced: flag,
    SilenceReason: name,
    SilencedAt: orNull(time),
  }),
  /** What somebody has reported. */
  Report: exactly(REPORT),
  /** The same for moderators; `Notes` are there where it is shown alone. */
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
  /** Something that was done, and by whom: a username, or the command line. */
  AuditEntry: exactly({
    ID: id,
    CreatedAt: time,
    By: name,
    Action: name,
    Target: name,
    Details: name,
  }),
};
