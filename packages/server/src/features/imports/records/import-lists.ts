import { parseTag } from "../../../lib/markdown/tags.ts";
import { MAX_FEATURED_TAGS } from "../../featured-tags/index.ts";
import { MAX_FILTERS, type Filter } from "../../filters/index.ts";
import type { PostId, CommentId, UserId } from "../../ids.ts";
import { MAX_STREAMS } from "../../streams/index.ts";
import type { ItemOf } from "../import-item.ts";
import type { ItemFilter } from "../item-shapes.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";
import { findOwn } from "../import-writing.ts";
import { hasRoomFor } from "./room.ts";

export async function importFeaturedTag(
  { featuredTags }: ImportDeps,
  run: ImportRun,
  { tag: text }: ItemOf<"featured_tag">,
): Promise<RecordOutcome> {
  const { userId } = run.user;
  const tag = parseTag(text);
  if (tag === undefined) return "malformed";
  const known = await featuredTags.list(userId);
  if (known.some((it) => it.tag === tag)) return "known";
  const count = async () => known.length;
  if (!(await hasRoomFor(run, "featured_tag", MAX_FEATURED_TAGS, count)))
    return "too_many";
  if (!run.isRehearsal) await featuredTags.add(userId, tag);
  return "added";
}

export async function importFilter(
  { filters, clock }: ImportDeps,
  run: ImportRun,
  { filter }: ItemOf<"filter">,
): Promise<RecordOutcome> {
  const { userId } = run.user;
  const { endsAt } = filter;
  if (endsAt !== null && Date.parse(endsAt) <= clock.now().getTime())
    return "past";
  const all = await listFilters(filters, userId);
  if (all.some((it) => isSame(it, filter))) return "known";
  const count = async () => all.length;
  if (!(await hasRoomFor(run, "filter", MAX_FILTERS, count))) return "too_many";
  if (!run.isRehearsal)
    await filters.save(userId, filter, undefined, { mayLackKeywords: true });
  return "added";
}

const listFilters = (filters: ImportDeps["filters"], userId: UserId) =>
  filters.list(userId, { offset: 0, limit: MAX_FILTERS });

/** Its title, its contexts and its words say which one it is. */
function isSame(one: Filter, other: ItemFilter): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf({ title, action, contexts, keywords, endsAt }: ItemFilter) {
  const words = keywords.map(({ keyword, wholeWord }) => [
    keyword.trim(),
    wholeWord,
  ]);
  return JSON.stringify([
    ...[title.trim(), action, endsAt, words.sort()],
    [...new Set(contexts)].sort(),
  ]);
}

/** Adds a single post or comment to a filter that is here by now. */
export async function importFilteredPost(
  deps: ImportDeps,
  run: ImportRun,
  { filter, guid }: ItemOf<"filtered_post">,
): Promise<RecordOutcome> {
  const { userId } = run.user;
  const status = await findStatus(deps, run, guid);
  if (!status) return "unknown_post";
  const all = await listFilters(deps.filters, userId);
  const found = all.find((it) => isSame(it, filter));
  if (!found) return run.isRehearsal ? "added" : "refused";
  const statusId = status.postId ?? status.commentId;
  if (found.statuses.some((it) => it.statusId === statusId)) return "known";
  if (!run.isRehearsal)
    await deps.filters.statuses.add(userId, found.id, status);
  return "added";
}

type StatusId =
  | { readonly postId: PostId; readonly commentId?: never }
  | { readonly commentId: CommentId; readonly postId?: never };

async function findStatus(
  deps: ImportDeps,
  run: ImportRun,
  guid: string,
): Promise<StatusId | undefined> {
  const own = await findOwn(deps, run, guid);
  if (own)
    return own.kind === "post"
      ? { postId: own.post.id }
      : { commentId: own.comment.id };
  const post = await deps.posts.findVisible({ guid }, run.user);
  if (post) return { postId: post.id };
  const comment = await deps.comments.findVisible({ guid }, run.user);
  return comment && { commentId: comment.id };
}

export async function importStream(
  { streams }: ImportDeps,
  run: ImportRun,
  { stream }: ItemOf<"stream">,
): Promise<RecordOutcome> {
  const { userId } = run.user;
  const all = await streams.list(userId, { offset: 0, limit: MAX_STREAMS });
  const isKnown = all.some(
    ({ name, tags, people, expression }) =>
      name === stream.name &&
      tags === stream.tags &&
      people === stream.people &&
      expression === stream.expression,
  );
  if (isKnown) return "known";
  const count = async () => all.length;
  if (!(await hasRoomFor(run, "stream", MAX_STREAMS, count))) return "too_many";
  if (!run.isRehearsal) await streams.save(userId, stream);
  return "added";
}
