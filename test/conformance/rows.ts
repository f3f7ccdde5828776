import { activityPubRows } from "./rows-activitypub.ts";
import { calendarRows } from "./rows-calendar.ts";
import { extensionRows } from "./rows-extensions.ts";
import { federationRows } from "./rows-federation.ts";
import { notificationRows } from "./rows-notifications.ts";
import { peopleRows } from "./rows-people.ts";
import { postRows } from "./rows-posts.ts";
import { recordRows } from "./rows-records.ts";
import { ruleRows } from "./rows-rules.ts";
import type { Rows } from "./stage.ts";

/** The test of each row, by the row's name. */
export const ROWS: Rows = {
  ...recordRows,
  ...peopleRows,
  ...postRows,
  ...notificationRows,
  ...calendarRows,
  ...extensionRows,
  ...activityPubRows,
  ...federationRows,
  ...ruleRows,
};
