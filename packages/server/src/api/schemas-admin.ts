import type { TSchema } from "typebox";
import { count, exactly, id, name, time } from "./schema-parts.ts";

/** The records of those who run this server, as `RECORDS` has them. */
export const ADMIN_RECORDS: Readonly<Record<string, TSchema>> = {
  /** How much there is to do. */
  AdminOverview: exactly({
    PendingRegistrations: count,
    JobsWaiting: count,
    JobsGivenUp: count,
  }),
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
