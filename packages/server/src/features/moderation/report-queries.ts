import type { Reader } from "../../db/db.ts";
import { loadJson } from "../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import type { PersonId } from "../ids.ts";
import { fetchPage, type Page } from "../page.ts";
import type { Report, ReportNote, TargetKind } from "./report.ts";

const selectReports = (reader: Reader) =>
  reader.selectFrom("reports").selectAll("reports");

type Row = Awaited<
  ReturnType<ReturnType<typeof selectReports>["executeTakeFirstOrThrow"]>
>;

function toReport(row: Row): Report {
  return {
    id: row.id,
    guid: row.guid,
    host: row.host,
    reporterId: row.reporter_id,
    personId: row.person_id,
    targetKind: row.target_kind,
    targetGuid: row.target_guid,
    evidence: row.evidence,
    objects: loadJson(row.objects),
    text: row.text,
    category: row.category,
    forwarded: Boolean(row.forwarded),
    createdAt: row.created_at,
    assignee: row.assignee,
    resolution: row.resolution,
    resolver: row.resolver,
    resolvedAt: row.resolved_at,
  };
}

/** The number of reports from one server since then. */
export async function countReportsFrom(
  reader: Reader,
  host: string,
  since: Timestamp,
): Promise<number> {
  const { count } = await reader
    .selectFrom("reports")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("host", "=", host)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The number of reports by a local person since then. */
export async function countReportsBy(
  reader: Reader,
  reporterId: PersonId,
  since: Timestamp,
): Promise<number> {
  const { count } = await reader
    .selectFrom("reports")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("reporter_id", "=", reporterId)
    .where("created_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The open report of the same thing by the same person. */
export async function findOpenReport(
  reader: Reader,
  reporterId: PersonId,
  targetKind: TargetKind,
  targetGuid: string,
): Promise<Report | undefined> {
  const row = await selectReports(reader)
    .where("reporter_id", "=", reporterId)
    .where("target_kind", "=", targetKind)
    .where("target_guid", "=", targetGuid)
    .where("resolved_at", "is", null)
    .executeTakeFirst();
  return row && toReport(row);
}

/** Open reports by rules of this server; of all people, or about one. */
export async function countOpenByRules(
  reader: Reader,
  { host, personId }: { readonly host: string; readonly personId?: PersonId },
): Promise<number> {
  const open = reader
    .selectFrom("reports")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("resolved_at", "is", null)
    .where("reporter_id", "is", null)
    .where("host", "=", host);
  const query =
    personId === undefined ? open : open.where("person_id", "=", personId);
  return Number((await query.executeTakeFirstOrThrow()).count);
}

export async function findReport(
  reader: Reader,
  id: number,
): Promise<Report | undefined> {
  const row = await selectReports(reader)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toReport(row);
}

/** Some reports after an id, oldest first, with the handles of the reported people. */
export async function listReports(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<(Report & { readonly handle: string | null })[]> {
  const rows = await selectReports(reader)
    .leftJoin("people", "people.id", "reports.person_id")
    .select("people.handle")
    .where("reports.id", ">", afterId)
    .orderBy("reports.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...toReport(row), handle: row.handle }));
}

export type ReportState = "open" | "closed";

/** One page of the open or the closed reports, newest first. */
export async function listReportsIn(
  reader: Reader,
  state: ReportState,
  page: Page,
): Promise<Report[]> {
  const query = selectReports(reader).where(
    "resolved_at",
    state === "open" ? "is" : "is not",
    null,
  );
  return (await fetchPage(query, "reports.id", page)).map(toReport);
}

/** One page of the reports about a person, newest first. */
export async function listReportsAbout(
  reader: Reader,
  personId: PersonId,
  page: Page,
): Promise<Report[]> {
  const query = selectReports(reader).where("person_id", "=", personId);
  return (await fetchPage(query, "reports.id", page)).map(toReport);
}

export async function countOpenReports(reader: Reader): Promise<number> {
  const { count } = await reader
    .selectFrom("reports")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("resolved_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Oldest first. */
export async function listNotes(
  reader: Reader,
  reportId: number,
): Promise<ReportNote[]> {
  const rows = await reader
    .selectFrom("report_notes")
    .select(["id", "author", "text", "created_at"])
    .where("report_id", "=", reportId)
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    author: row.author,
    text: row.text,
    createdAt: row.created_at,
  }));
}
