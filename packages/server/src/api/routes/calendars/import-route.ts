import type { Events, ImportReport } from "../../../features/events/index.ts";
import type { CalendarId } from "../../../features/ids.ts";
import { file } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { apiRoute, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { one } from "../../schemas/schemas.ts";

const IMPORT = Type.Object({
  file: file("An iCalendar file, at most 5 MiB with 1,000 events"),
});

/** Adds the events of a file to a calendar. */
export function importRoute(events: Pick<Events, "objects">): ApiRoute {
  return apiRoute({
    method: "POST",
    limit: "costly",
    scope: "write:statuses",
    name: "importCalendar",
    path: "/calendar/:id/import",
    summary: "Adds the events of an iCalendar file to your calendar.",
    description:
      "The events are yours alone. One that the calendar has in an earlier version is updated; what is refused keeps out no other.",
    errors: [503],
    input: IMPORT,
    output: one("CalendarImport"),
    handle: async ({ user, path, input }) => {
      const id = readIdOrNone(path("id")) as CalendarId;
      // Without a file it is refused like an empty one, where the calendar is the user's.
      const bytes = input.file?.bytes ?? new Uint8Array();
      return presentReport(await events.objects.importFile(user, id, bytes));
    },
  });
}

function presentReport(report: ImportReport): WireRecord {
  return {
    Created: report.created,
    Updated: report.updated,
    Unchanged: report.unchanged,
    Ignored: report.ignored,
    Refused: report.refused.map(({ uid, summary, reason }) => ({
      Uid: uid,
      Summary: summary,
      Reason: reason,
    })),
  };
}
