import { activityPubRows } from "./rows-activitypub.ts";
import { aspectRows } from "./rows-aspects.ts";
import { calendarEndpointRows } from "./rows-calendar-endpoints.ts";
import { calendarRows } from "./rows-calendar.ts";
import { conventionRows } from "./rows-conventions.ts";
import { extensionRows } from "./rows-extensions.ts";
import { federationRows } from "./rows-federation.ts";
import { notificationRows } from "./rows-notifications.ts";
import { peopleRows } from "./rows-people.ts";
import { postRows } from "./rows-posts.ts";
import { reactionRows } from "./rows-reactions.ts";
import { recordRows } from "./rows-records.ts";
import { ruleRows } from "./rows-rules.ts";
import type { Rows } from "../stage.ts";

/** The test of each row, by the row's name. */
export const ROWS: Rows = {
  ...recordRows,
  ...peopleRows,
  ...aspectRows,
  ...postRows,
  ...reactionRows,
  ...notificationRows,
  ...calendarRows,
  ...calendarEndpointRows,
  ...extensionRows,
  ...activityPubRows,
  ...federationRows,
  ...ruleRows,
  ...conventionRows,
};
