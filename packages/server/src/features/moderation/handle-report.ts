import type { Db, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Action, Audit, Doer } from "../audit/index.ts";
import type { Comments } from "../comments/index.ts";
import type { Events } from "../events/index.ts";
import type { PersonId } from "../ids.ts";
import type { People } from "../people/index.ts";
import type { Posts } from "../posts/index.ts";
import { checkMessage, type Strikes } from "../strikes/index.ts";
import { findOpenReport, findReport } from "./report-queries.ts";
import {
  closeReport,
  insertNote,
  openReport,
  updateAssignee,
} from "./report-store.ts";
import { MAX_NOTE_LENGTH, type Report } from "./report.ts";

export type HandleReportDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly people: People;
  readonly posts: Posts;
  readonly comments: Comments;
  readonly events: Events;
  readonly strikes: Pick<Strikes, "record">;
};

/** Runs one act of a moderator, and writes an audit entry if it has changed something. */
async function act(
  { db, audit }: HandleReportDeps,
  by: Doer,
  id: number,
  action: Action,
  change: (tx: Tx, report: Report) => Promise<string | false>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const report = await findReport(tx, id);
    if (!report) throw new KithError("not_found", "No such report.");
    const details = await change(tx, report);
    if (details === false) return;
    await audit.recordAct(tx, { by, action, target: String(id), details });
  });
}

const nameOf = (by: Doer) => by?.username ?? "command line";

/**
 * Assigns a report to a moderator, or unassigns it. Also takes it over from another
 * moderator.
 */
export function assignReport(
  deps: HandleReportDeps,
  by: Doer,
  id: number,
  isTaken: boolean,
): Promise<void> {
  const action = isTaken ? "report.assign" : "report.unassign";
  return act(deps, by, id, action, async (tx, report) => {
    const assignee = isTaken ? nameOf(by) : null;
    if (report.assignee === assignee) return false;
    await updateAssignee(tx, id, assignee);
    return "";
  });
}

/** @throws {KithError} `bad_request` for a note that is empty or too long */
export function noteReport(
  deps: HandleReportDeps,
  by: Doer,
  id: number,
  text: string,
): Promise<void> {
  return act(deps, by, id, "report.note", async (tx) => {
    const note = checkedNote(text);
    if (note === "")
      throw new KithError("empty_string", "The note must not be blank.");
    const createdAt = timestamp(deps.clock.now());
    await insertNote(tx, id, { author: nameOf(by), text: note, createdAt });
    return "";
  });
}

/** Closes a report with a resolution. A closed report stays as it is. */
export function resolveReport(
  deps: HandleReportDeps,
  by: Doer,
  id: number,
  resolution: string,
): Promise<void> {
  return act(deps, by, id, "report.resolve", async (tx) => {
    const text = checkedNote(resolution);
    const now = timestamp(deps.clock.now());
    return (await closeReport(tx, id, nameOf(by), text, now)) && text;
  });
}

/** @throws {KithError} `conflict` if the same person has reported the same thing again */
export function reopenReport(
  deps: HandleReportDeps,
  by: Doer,
  id: number,
): Promise<void> {
  return act(deps, by, id, "report.reopen", async (tx, report) => {
    const { reporterId, targetKind, targetGuid } = report;
    if (report.resolvedAt === null) return false;
    if (
      reporterId !== null &&
      targetGuid !== null &&
      (await findOpenReport(tx, reporterId, targetKind, targetGuid))
    )
      throw new KithError(
        "conflict",
        "The same has been reported again: see the newer report.",
      );
    return (await openReport(tx, id)) && "";
  });
}

/**
 * Removes the reported post or comment as if its author had: a local one is deleted
 * everywhere, a remote one only on this server, where it cannot come back. Idempotent.
 * @param message for a local author, who is told of the removal
 * @throws {KithError} `bad_request` for a report about a person alone, and for a long message
 */
export function removeReported(
  deps: HandleReportDeps,
  by: Doer,
  id: number,
  message = "",
): Promise<void> {
  const words = checkMessage(message);
  return act(deps, by, id, "report.remove", async (tx, report) => {
    const { targetKind, targetGuid: guid } = report;
    if (targetKind === "person" || guid === null)
      throw new KithError(
        "bad_request",
        "The report is of a person, not of a post or comment.",
      );
    const removed =
      targetKind === "post"
        ? await removePost(deps, tx, guid)
        : await removeComment(deps, tx, guid);
    if (!removed) return false;
    const author = await deps.people.find({ id: removed.personId }, tx);
    if (author?.userId != null && author.userId !== by?.userId)
      await deps.strikes.record(tx, {
        personId: author.id,
        action: targetKind === "post" ? "remove_post" : "remove_comment",
        ...{ message: words, excerpt: removed.text },
      });
    return `${targetKind} ${guid}`;
  });
}

/** The author and the text of what was removed. */
type Removed = { readonly personId: PersonId; readonly text: string };

async function removePost(
  { posts, events }: HandleReportDeps,
  tx: Tx,
  guid: string,
): Promise<Removed | undefined> {
  const post = await posts.find({ guid }, tx);
  if (!post) return undefined;
  const by = post.personId;
  const isGone = await events.receivePostRetraction({ id: post.id }, by, tx);
  return isGone ? post : undefined;
}

/** A remote comment on a local post is retracted for its readers by the post's author. */
async function removeComment(
  { people, posts, comments }: HandleReportDeps,
  tx: Tx,
  guid: string,
): Promise<Removed | undefined> {
  const comment = await comments.find({ guid }, tx);
  if (!comment) return undefined;
  const isHere = async (id: PersonId | undefined) =>
    id !== undefined && (await people.find({ id }, tx))?.userId != null;
  const post = await posts.find({ id: comment.postId }, tx);
  const isTakenOut =
    post && !(await isHere(comment.personId)) && (await isHere(post.personId));
  const by = isTakenOut ? post.personId : comment.personId;
  const isGone = await comments.receiveRetraction({ id: comment.id }, by, tx);
  return isGone ? comment : undefined;
}

function checkedNote(text: string): string {
  const note = storableText(text).trim();
  if ([...note].length > MAX_NOTE_LENGTH)
    throw new KithError(
      "bad_request",
      `The text must have at most ${MAX_NOTE_LENGTH} characters.`,
    );
  return note;
}
