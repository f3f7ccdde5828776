import { scheduler } from "node:timers/promises";
import type { Reader } from "../../../db/db.ts";
import { isListed } from "../../../db/prepared-query.ts";
import { primaryLanguage } from "../../../lib/language-tag.ts";
import { fillPage } from "../../fill-page.ts";
import type { CommentId, PersonId, PostId } from "../../ids.ts";
import type { Page } from "../../page.ts";
import { isEventVisibleTo } from "../event-visibility.ts";
import { listFiltersOf } from "./filter-queries.ts";
import { isPostVisibleTo } from "../post-visibility.ts";
import { findReadLanguages, listUnreadable } from "./read-languages.ts";
import type { Viewer } from "../viewer.ts";
import {
  matchFilters,
  type FilterContext,
  type FilterMatch,
  type WordFilter,
} from "./word-filters.ts";

/** The parts of a post or comment itself that filters look at. */
export type WrittenText<Id> = {
  readonly id: Id;
  readonly personId: PersonId;
  readonly text: string;
  readonly warning: string | null;
};

/**
 * Finds the filters that match the posts: in the text and warning, the pictures' descriptions,
 * the poll, the event, and in the reshared and quoted post. Only in what the viewer may see, so
 * that no filter tells what a hidden text says; and never in what the viewer wrote.
 */
export async function matchPosts(
  reader: Reader,
  viewer: Viewer,
  filters: readonly WordFilter[],
  posts: readonly WrittenText<PostId>[],
): Promise<Map<PostId, FilterMatch[]>> {
  if (viewer === null || filters.length === 0) return new Map();
  const foreign = posts.filter(({ personId }) => personId !== viewer.personId);
  const beside = await loadTextsBeside(reader, viewer, foreign);
  const roots = await findRoots(reader, filters, foreign);
  return matchEach(
    filters,
    foreign.map((post) => ({
      id: post.id,
      named: [post.id, ...(roots.get(post.id) ?? [])],
      texts: [...textsOf(post), ...(beside.get(post.id) ?? [])],
    })),
  );
}

/** The ids of the reshared posts, for filters that name posts, by the reshare. */
async function findRoots(
  reader: Reader,
  filters: readonly WordFilter[],
  posts: readonly WrittenText<PostId>[],
): Promise<Map<PostId, PostId[]>> {
  if (
    posts.length === 0 ||
    filters.every(({ statuses }) => statuses.size === 0)
  )
    return new Map();
  const list = JSON.stringify(posts.map(({ id }) => id));
  const rows = await reader
    .selectFrom("posts as outer")
    .innerJoin("posts as root", "root.guid", "outer.root_guid")
    .select(["outer.id", "root.id as rootId"])
    .where(isListed(reader, "outer.id", list))
    .execute();
  return new Map(rows.map(({ id, rootId }) => [id, [rootId]]));
}

/** Finds the filters that match comments: in the text, the warning, and what pictures show. */
export async function matchComments(
  reader: Reader,
  viewer: Viewer,
  filters: readonly WordFilter[],
  comments: readonly WrittenText<CommentId>[],
): Promise<Map<CommentId, FilterMatch[]>> {
  if (filters.length === 0) return new Map();
  const foreign = comments.filter((it) => it.personId !== viewer?.personId);
  const described = await listDescribed(reader, foreign);
  return matchEach(
    filters,
    foreign.map((it) => ({
      ...{ id: it.id, named: [it.id] },
      texts: [...textsOf(it), ...(described.get(it.id) ?? [])],
    })),
  );
}

/** The descriptions of the pictures of comments. */
async function listDescribed(
  reader: Reader,
  comments: readonly WrittenText<CommentId>[],
): Promise<Map<CommentId, string[]>> {
  const described = new Map<CommentId, string[]>();
  if (comments.length === 0) return described;
  const list = JSON.stringify(comments.map(({ id }) => id));
  const rows = await reader
    .selectFrom("photos")
    .select(["comment_id", "text"])
    .where(isListed(reader, "photos.comment_id", list))
    .where("photos.text", "<>", "")
    .$narrowType<{ comment_id: CommentId }>()
    .execute();
  for (const { comment_id: id, text } of rows)
    described.set(id, [...(described.get(id) ?? []), text]);
  return described;
}

/** A comment that stands in a list beside its post. */
export type WrittenComment = WrittenText<CommentId> & {
  readonly language: string | null;
};

export const textsOf = ({
  text,
  warning,
}: Pick<WrittenText<never>, "text" | "warning">) =>
  warning === null ? [text] : [text, warning];

async function matchEach<Id>(
  filters: readonly WordFilter[],
  things: readonly {
    readonly id: Id;
    /** Its own id, and that of the reshared post. */
    readonly named: readonly number[];
    readonly texts: readonly string[];
  }[],
): Promise<Map<Id, FilterMatch[]>> {
  const found = new Map<Id, FilterMatch[]>();
  if (filters.length === 0) return found;
  for (const [at, { id, named, texts }] of things.entries()) {
    // Long texts by the hundred must not hold up others.
    if (at % 20 === 19) await scheduler.yield();
    const matches = matchFilters(filters, texts, named);
    if (matches.length > 0) found.set(id, matches);
  }
  return found;
}

/**
 * Lists one page of posts without those that a filter of the viewer hides in this context, or
 * that are in languages which the viewer does not read.
 * @param read reads a page of the unfiltered list, newest first
 */
export function withoutHiddenPosts<P extends WrittenText<PostId>>(
  reader: Reader,
  viewer: Viewer,
  context: FilterContext,
  page: Page,
  read: (page: Page) => Promise<P[]>,
): Promise<P[]> {
  return withoutHidden(
    { reader, viewer, context, postOf: (it: P) => it },
    page,
    read,
  );
}

/**
 * The same for the posts of a home, whose pages are keyed by their places in it, and for
 * comments on posts there: each is in the language that it names, else in that of its post.
 */
export function withoutHiddenPlaces<
  P extends {
    readonly id: number;
    readonly post: WrittenText<PostId>;
    readonly comment?: WrittenComment;
  },
>(
  reader: Reader,
  viewer: Viewer,
  page: Page,
  read: (page: Page) => Promise<P[]>,
): Promise<P[]> {
  const postOf = ({ post }: P) => post;
  const commentOf = ({ comment }: P) => comment;
  const of = { reader, viewer, context: "home", postOf, commentOf } as const;
  return withoutHidden(of, page, read);
}

async function withoutHidden<R extends { readonly id: number }>(
  {
    reader,
    viewer,
    context,
    postOf,
    commentOf = () => undefined,
  }: {
    readonly reader: Reader;
    readonly viewer: Viewer;
    readonly context: FilterContext;
    readonly postOf: (record: R) => WrittenText<PostId>;
    readonly commentOf?: (record: R) => WrittenComment | undefined;
  },
  page: Page,
  read: (page: Page) => Promise<R[]>,
): Promise<R[]> {
  const [filters, languages] = await Promise.all([
    listHiding(reader, viewer, context),
    findReadLanguages(reader, viewer, context),
  ]);
  if (filters.length === 0 && languages === undefined) return read(page);
  const work = workOf(filters);
  return fillPage(page, {
    order: "newest first",
    read,
    leaveOut: async (records) => {
      const posts = records.map(postOf);
      const hidden = await matchPosts(reader, viewer, filters, posts);
      const unreadable = languages
        ? await listUnreadable(reader, viewer, languages, posts)
        : new Set<PostId>();
      const comments = records.flatMap((it) => commentOf(it) ?? []);
      const below = await matchComments(reader, viewer, filters, comments);
      return records.filter((it) => {
        const { id } = postOf(it);
        const comment = commentOf(it);
        if (comment === undefined)
          return !hidden.has(id) && !unreadable.has(id);
        if (comment.personId === viewer?.personId) return true;
        const { language } = comment;
        const isReadable =
          languages === undefined || language === null
            ? !unreadable.has(id)
            : languages.has(primaryLanguage(language));
        return isReadable && !hidden.has(id) && !below.has(comment.id);
      });
    },
    workOf: (record) =>
      work(postOf(record)) + work(commentOf(record) ?? { text: "" }),
  });
}

/** The same for the comments of a thread, the oldest first. */
export async function withoutHiddenComments<C extends WrittenText<CommentId>>(
  reader: Reader,
  viewer: Viewer,
  page: Page,
  read: (page: Page) => Promise<C[]>,
): Promise<C[]> {
  const filters = await listHiding(reader, viewer, "thread");
  if (filters.length === 0) return read(page);
  return fillPage(page, {
    order: "oldest first",
    read,
    leaveOut: (comments) => leaveOutComments(reader, viewer, filters, comments),
    workOf: workOf(filters),
  });
}

/** Leaves out the comments that a filter of the viewer hides below posts. */
export async function leaveOutHiddenComments<C extends WrittenText<CommentId>>(
  reader: Reader,
  viewer: Viewer,
  comments: readonly C[],
): Promise<C[]> {
  if (comments.length === 0) return [];
  const filters = await listHiding(reader, viewer, "thread");
  return leaveOutComments(reader, viewer, filters, comments);
}

async function leaveOutComments<C extends WrittenText<CommentId>>(
  reader: Reader,
  viewer: Viewer,
  filters: readonly WordFilter[],
  comments: readonly C[],
): Promise<C[]> {
  const hidden = await matchComments(reader, viewer, filters, comments);
  return comments.filter(({ id }) => !hidden.has(id));
}

/** Lists the filters that hide what they match. */
export async function listHiding(
  reader: Reader,
  viewer: Viewer,
  context: FilterContext,
): Promise<WordFilter[]> {
  const filters = await listFiltersOf(reader, viewer, context);
  return filters.filter(({ action }) => action === "hide");
}

function workOf(filters: readonly WordFilter[]) {
  const keywords = filters.reduce((sum, it) => sum + it.keywords.length, 0);
  return ({ text }: { readonly text: string }) => text.length * keywords;
}

/** The texts that are shown with the posts beside their own, by post. */
export async function loadTextsBeside(
  reader: Reader,
  viewer: Viewer,
  posts: readonly WrittenText<PostId>[],
): Promise<Map<PostId, string[]>> {
  const texts = new Map<PostId, string[]>();
  if (posts.length === 0) return texts;
  const add = (id: PostId, ...more: readonly (string | null)[]) =>
    texts.set(id, [
      ...(texts.get(id) ?? []),
      ...more.filter((it) => it !== null),
    ]);
  const shown = new Map(posts.map(({ id }) => [id, [id]]));
  for (const row of await listInside(reader, viewer, posts)) {
    add(row.post_id, row.text, row.warning);
    shown.set(row.id, [...(shown.get(row.id) ?? []), row.post_id]);
  }
  for (const { post_id: id, text } of await listParts(reader, viewer, [
    ...shown.keys(),
  ]))
    for (const post of shown.get(id) ?? []) add(post, text);
  return texts;
}

/** The posts that these reshare or quote, as far as the viewer may see them. */
async function listInside(
  reader: Reader,
  viewer: Viewer,
  posts: readonly WrittenText<PostId>[],
) {
  const list = JSON.stringify(posts.map(({ id }) => id));
  const links = reader
    .selectFrom("posts as outer")
    .select(["outer.id as post_id", "outer.root_guid as inside"])
    .where(isListed(reader, "outer.id", list))
    .where("outer.root_guid", "is not", null)
    .unionAll(
      reader
        .selectFrom("quotes")
        .select(["quotes.post_id", "quotes.quoted_guid as inside"])
        .where(isListed(reader, "quotes.post_id", list))
        .where("quotes.state", "=", "accepted")
        .where("quotes.quoted_guid", "is not", null),
    );
  const inside = reader
    .selectFrom(links.as("links"))
    .innerJoin("posts", "posts.guid", "links.inside")
    .select(["links.post_id", "posts.id", "posts.text", "posts.warning"])
    .where((eb) => isPostVisibleTo(viewer)(eb));
  const self = viewer?.personId;
  return self === undefined
    ? inside.execute()
    : inside.where("posts.person_id", "<>", self).execute();
}

/** The descriptions of pictures, and what polls and events say. */
async function listParts(
  reader: Reader,
  viewer: Viewer,
  ids: readonly PostId[],
) {
  const list = JSON.stringify(ids);
  const photos = reader
    .selectFrom("photos")
    .select(["photos.post_id", "photos.text"])
    .where(isListed(reader, "photos.post_id", list))
    .where("photos.comment_id", "is", null)
    .where("photos.text", "<>", "")
    .$narrowType<{ post_id: PostId }>();
  const questions = reader
    .selectFrom("polls")
    .select(["polls.post_id", "polls.question as text"])
    .where(isListed(reader, "polls.post_id", list));
  const answers = reader
    .selectFrom("polls")
    .innerJoin("poll_answers", "poll_answers.poll_id", "polls.id")
    .select(["polls.post_id", "poll_answers.text"])
    .where(isListed(reader, "polls.post_id", list));
  const events = reader
    .selectFrom("posts")
    .innerJoin("events", "events.id", "posts.event_id")
    .select(["posts.id as post_id", "events.summary", "events.description"])
    .where(isListed(reader, "posts.id", list))
    .where((eb) => isEventVisibleTo(viewer)(eb));
  const [pictures, asked, answered, planned] = await Promise.all([
    photos.execute(),
    questions.execute(),
    answers.execute(),
    events.execute(),
  ]);
  const said = planned.flatMap(({ post_id, summary, description }) =>
    [summary, description].map((text) => ({ post_id, text })),
  );
  return [...pictures, ...asked, ...answered, ...said];
}
