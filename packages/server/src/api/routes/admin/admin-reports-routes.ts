import { Type } from "../../../lib/json-schema.ts";
import type {
  Moderation,
  Report,
  ReportNote,
} from "../../../features/moderation/index.ts";
import type { PersonId } from "../../../features/ids.ts";
import type { People, Person } from "../../../features/people/index.ts";
import { text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { presentPerson, type WireRecord } from "../../schemas/records.ts";
import { presentReport } from "../posts/reports-routes.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type AdminReportsRoutesDeps = {
  readonly moderation: Moderation;
  readonly people: People;
};

const LIST = Type.Object({
  state: Type.Optional(
    Type.String({
      enum: ["open", "closed"],
      description:
        "Those that wait, or those that were dealt with; open where not said",
    }),
  ),
});
const NOTE = Type.Object({ text: text("At most 2,000 characters") });
const RESOLUTION = Type.Object({
  text: text("What was done, at most 2,000 characters"),
});

const REMOVAL = Type.Object({
  message: text(
    "A message about it to an author here, without your name; at most 1,000 characters",
  ),
});

const forModerators = { forRole: "moderator" } as const;

/** Handling of reports by moderators. */
export function adminReportsRoutes(deps: AdminReportsRoutesDeps): ApiRoute[] {
  const { moderation } = deps;
  return [
    apiRoute({
      ...forModerators,
      method: "GET",
      limit: "read",
      scope: "admin:read:reports",
      name: "listReports",
      path: "/admin/reports",
      summary: "Lists reports, newest first.",
      input: LIST,
      output: listOf("AdminReport"),
      handle: async ({ input: { state }, page }) => {
        const which = state === "closed" ? "closed" : "open";
        const reports = await moderation.listIn(which, page);
        return presentAll(deps, reports);
      },
    }),
    apiRoute({
      ...forModerators,
      method: "GET",
      limit: "read",
      scope: "admin:read:reports",
      name: "showReport",
      path: "/admin/reports/:id",
      summary: "Shows a report with its notes.",
      input: NO_INPUT,
      output: one("AdminReport"),
      handle: ({ path }) => presentOne(deps, readIdOrNone(path("id"))),
    }),
    ...takingRoutes(deps),
    ...closingRoutes(deps),
  ];
}

function takingRoutes(deps: AdminReportsRoutesDeps): ApiRoute[] {
  const { moderation } = deps;
  return [
    apiRoute({
      ...forModerators,
      method: "PUT",
      limit: "write",
      scope: "admin:write:reports",
      name: "assignReport",
      path: "/admin/reports/:id/assignment",
      summary: "Assigns a report to you.",
      input: NO_INPUT,
      output: one("AdminReport"),
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id"));
        await moderation.assign(user, id, true);
        return presentOne(deps, id);
      },
    }),
    apiRoute({
      ...forModerators,
      method: "DELETE",
      limit: "write",
      scope: "admin:write:reports",
      name: "unassignReport",
      path: "/admin/reports/:id/assignment",
      summary: "Leaves a report to others.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id"));
        await moderation.assign(user, id, false);
        return {};
      },
    }),
    apiRoute({
      ...forModerators,
      method: "POST",
      limit: "write",
      scope: "admin:write:reports",
      name: "addReportNote",
      path: "/admin/reports/:id/notes",
      summary: "Adds a note for other moderators to a report.",
      input: NOTE,
      needs: ["text"],
      output: one("AdminReport"),
      handle: async ({ user, path, input }) => {
        const id = readIdOrNone(path("id"));
        await moderation.note(user, id, input.text);
        return presentOne(deps, id);
      },
    }),
  ];
}

function closingRoutes(deps: AdminReportsRoutesDeps): ApiRoute[] {
  const { moderation } = deps;
  return [
    apiRoute({
      ...forModerators,
      method: "PUT",
      limit: "write",
      scope: "admin:write:reports",
      name: "closeReport",
      path: "/admin/reports/:id/resolution",
      summary: "Closes a report.",
      input: RESOLUTION,
      output: one("AdminReport"),
      handle: async ({ user, path, input }) => {
        const id = readIdOrNone(path("id"));
        await moderation.resolve(user, id, input.text ?? "");
        return presentOne(deps, id);
      },
    }),
    apiRoute({
      ...forModerators,
      method: "DELETE",
      limit: "write",
      scope: "admin:write:reports",
      name: "reopenReport",
      path: "/admin/reports/:id/resolution",
      summary: "Opens a report again.",
      errors: [409],
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const id = readIdOrNone(path("id"));
        await moderation.reopen(user, id);
        return {};
      },
    }),
    apiRoute({
      ...forModerators,
      method: "DELETE",
      limit: "write",
      scope: "admin:write:reports",
      name: "deleteReportedPostOrComment",
      path: "/admin/reports/:id/target",
      summary: "Deletes the reported post or comment.",
      description:
        "What is from here is deleted everywhere, in the name of its author; what is from elsewhere is deleted here, and does not come back. The report keeps the text. An author here is notified, and may appeal.",
      input: REMOVAL,
      output: EMPTY,
      handle: async ({ user, path, input }) => {
        const id = readIdOrNone(path("id"));
        await moderation.removeReported(user, id, input.message);
        return {};
      },
    }),
  ];
}

async function presentOne(
  deps: AdminReportsRoutesDeps,
  id: number,
): Promise<WireRecord> {
  const found = await deps.moderation.find(id);
  if (!found) throw new KithError("not_found", "No such report.");
  const people = await findPeople(deps, [found.report]);
  return presentForModerators(found.report, people, found.notes);
}

async function presentAll(
  deps: AdminReportsRoutesDeps,
  reports: readonly Report[],
): Promise<WireRecord[]> {
  const people = await findPeople(deps, reports);
  return reports.map((report) => presentForModerators(report, people, []));
}

function findPeople(
  { people }: AdminReportsRoutesDeps,
  reports: readonly Report[],
): Promise<Map<PersonId, Person>> {
  const ids = reports.flatMap((it) => [it.personId ?? [], it.reporterId ?? []]);
  return people.listById(ids.flat());
}

function presentForModerators(
  report: Report,
  people: ReadonlyMap<PersonId, Person>,
  notes: readonly ReportNote[],
): WireRecord {
  const show = (id: PersonId | null) => {
    const person = id === null ? undefined : people.get(id);
    return person ? presentPerson(person) : null;
  };
  return {
    ...presentReport(report),
    Host: report.host,
    Objects: report.objects,
    Evidence: report.evidence,
    Person: show(report.personId),
    Reporter: show(report.reporterId),
    Assignee: report.assignee,
    Resolution: report.resolution,
    Resolver: report.resolver,
    ResolvedAt: report.resolvedAt,
    Notes: notes.map((note) => ({
      ID: note.id,
      CreatedAt: note.createdAt,
      By: note.author,
      Text: note.text,
    })),
  };
}
