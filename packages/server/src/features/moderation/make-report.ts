import type { Db, Tx } from "../../db/db.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { newGuid } from "../../lib/guids.ts";
import { storableText } from "../../lib/well-formed.ts";
import { jobKind } from "../../jobs/job.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { SignedIn } from "../accounts/index.ts";
import type { CommentId, PersonId, PostId } from "../ids.ts";
import type { Comments } from "../comments/index.ts";
import type { People, Person } from "../people/index.ts";
import type { Posts } from "../posts/index.ts";
import {
  countReportsBy,
  findOpenReport,
  findReport,
} from "./report-queries.ts";
import { insertReport } from "./report-store.ts";
import {
  MAX_REPORT_LENGTH,
  type Category,
  type Report,
  type TargetKind,
} from "./report.ts";

/** The job that forwards a report to the server of the reported person. */
export const FORWARD_REPORT = jobKind<{ readonly reportId: number }>(
  "forward-report",
);

export type MakeReportDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Jobs;
  readonly people: People;
  readonly posts: Posts;
  readonly comments: Comments;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
  /** Tells moderators of a new report. */
  readonly notifyStaff: (tx: Tx) => Promise<void>;
  /** Can a report be forwarded to the server of a remote person? */
  readonly canForwardTo: (person: Person) => boolean;
};

type Key<Id> = { readonly id: Id } | { readonly guid: string };

/** The reported thing as the reporter names it; it need not exist. */
export type ReportTarget =
  | { readonly kind: "person"; readonly key: Key<PersonId> }
  | { readonly kind: "post"; readonly key: Key<PostId> }
  | { readonly kind: "comment"; readonly key: Key<CommentId> };

export type MakeReport = {
  readonly by: SignedIn;
  readonly target: ReportTarget;
  readonly text: string;
  readonly category: Category;
  /** Forward it to the server of the reported person? */
  readonly forward: boolean;
};

/** More in a day by one person is abuse. */
const MAX_A_DAY = 50;
const DAY_MS = 24 * 3_600_000;

/**
 * Reports something that the reporter may see to the moderators. Repeated reports of the
 * same thing by one reporter are one report until it is closed.
 * @throws {KithError} `not_found` for a thing that the reporter may not see, `bad_request`
 * for a text that is too long and for the reporter's own things, `too_many_requests` for
 * many in a day
 */
export async function makeReport(
  deps: MakeReportDeps,
  input: MakeReport,
): Promise<Report> {
  const text = readText(input.text);
  return deps.db.transaction((tx) => makeWithin(deps, tx, { ...input, text }));
}

/**
 * Reports several things, all or none of them.
 * @returns the reports in the order of their targets
 * @throws {KithError} as `makeReport`, for any of them
 */
export async function makeReports(
  deps: MakeReportDeps,
  {
    targets,
    ...said
  }: Omit<MakeReport, "target"> & {
    readonly targets: readonly ReportTarget[];
  },
): Promise<Report[]> {
  const text = readText(said.text);
  return deps.db.transaction(async (tx) => {
    const made: Report[] = [];
    for (const target of targets)
      made.push(await makeWithin(deps, tx, { ...said, target, text }));
    return made;
  });
}

function readText(given: string): string {
  const text = storableText(given).trim();
  if ([...text].length > MAX_REPORT_LENGTH)
    throw new KithError(
      "bad_request",
      `The text of the report must have at most ${MAX_REPORT_LENGTH} characters.`,
    );
  return text;
}

async function makeWithin(
  deps: MakeReportDeps,
  tx: Tx,
  input: MakeReport,
): Promise<Report> {
  const { by } = input;
  const { kind } = input.target;
  const found = await findTarget(deps, tx, input);
  const person = await deps.people.find({ id: found.personId }, tx);
  if (!person) throw new KithError("not_found", "Nobody wrote it.");
  if (person.id === by.personId)
    throw new KithError("bad_request", "You cannot report yourself.");
  const known = await findOpenReport(tx, by.personId, kind, found.guid);
  if (known) return known;
  const now = deps.clock.now();
  const since = timestamp(later(now, -DAY_MS));
  if ((await countReportsBy(tx, by.personId, since)) >= MAX_A_DAY)
    throw new KithError("too_many_requests", "Many reports in one day.");
  const id = await store(deps, tx, input, found, person);
  const made =
    id === undefined
      ? // The same was reported concurrently.
        await findOpenReport(tx, by.personId, kind, found.guid)
      : await findReport(tx, id);
  if (!made) throw new KithError("conflict", "You have reported this already.");
  return made;
}

/** @returns undefined if the same was reported concurrently */
async function store(
  deps: MakeReportDeps,
  tx: Tx,
  { by, category, forward, target, text }: MakeReport,
  { guid, evidence }: Found,
  person: Person,
): Promise<number | undefined> {
  const forwarded = forward && isReached(deps, person);
  const id = await insertReport(tx, {
    guid: newGuid(),
    host: deps.handleHost,
    reporterId: by.personId,
    personId: person.id,
    targetKind: target.kind,
    targetGuid: guid,
    evidence,
    objects: [],
    text,
    category,
    forwarded,
    createdAt: timestamp(deps.clock.now()),
  });
  if (id !== undefined && forwarded)
    await deps.jobs.enqueue(tx, FORWARD_REPORT, { reportId: id });
  if (id !== undefined) await deps.notifyStaff(tx);
  return id;
}

function isReached({ canForwardTo }: MakeReportDeps, person: Person): boolean {
  return person.userId === null && canForwardTo(person);
}

type Found = {
  readonly guid: string;
  readonly personId: PersonId;
  readonly evidence: string | null;
};

/**
 * Finds the target by the rules for reading it: reporting a thing must not reveal that it
 * exists.
 */
async function findTarget(
  { people, posts, comments }: MakeReportDeps,
  tx: Tx,
  { target, by }: MakeReport,
): Promise<Found> {
  switch (target.kind) {
    case "person": {
      const person = await people.find(target.key, tx);
      if (person?.state !== "active") throw absent(target.kind);
      return { guid: person.guid, personId: person.id, evidence: null };
    }
    case "post": {
      const post = await posts.findVisible(target.key, by, tx);
      if (!post) throw absent(target.kind);
      return { ...post, evidence: post.text };
    }
    case "comment": {
      const comment = await comments.findVisible(target.key, by, tx);
      if (!comment) throw absent(target.kind);
      return { ...comment, evidence: comment.text };
    }
  }
}

function absent(kind: TargetKind): KithError {
  return new KithError("not_found", `No such ${kind}.`);
}
