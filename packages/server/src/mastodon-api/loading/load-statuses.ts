import { scheduler } from "node:timers/promises";
import type { Comment } from "../../features/comments/index.ts";
import type { Filter } from "../../features/filters/index.ts";
import type { PersonId, PostId } from "../../features/ids.ts";
import type { Person } from "../../features/people/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { FilterContext, Viewer } from "../../features/visibility/index.ts";
import { mentionsIn } from "../../lib/markdown/markdown.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { presentAccount } from "../entities/account.ts";
import { presentMatches } from "../entities/filter.ts";
import {
  idOfWriting,
  presentStatus,
  type StatusContext,
  type Writing,
} from "../entities/status.ts";
import { notFound } from "../kit/refusals.ts";
import type { Entity } from "../kit/wire.ts";
import type { MastodonDeps } from "./deps.ts";
import { loadReception } from "./load-reception.ts";

/** Rendered before other requests have their turn. */
const AT_ONCE = 5;

/** More people mentioned on a page are not looked up. */
const MAX_MENTIONED = 500;

/**
 * Presents writings in the given order. The caller has checked that the viewer may see them;
 * reshares of what it may not see are left out.
 * @param context the list in which they are read, for the filters of the viewer
 */
export async function loadStatuses(
  deps: MastodonDeps,
  writings: readonly Writing[],
  viewer: Viewer,
  context: FilterContext = "thread",
): Promise<Entity[]> {
  if (writings.length === 0) return [];
  const around = await loadSurroundings(deps, writings, viewer, context);
  const statuses: Entity[] = [];
  for (const [index, writing] of writings.entries()) {
    // Others are served between long texts.
    if (index % AT_ONCE === AT_ONCE - 1) await scheduler.yield();
    const status = presentStatus(around, writing);
    if (status) statuses.push(status);
  }
  return statuses;
}

/** The same for posts alone. */
export const loadPostStatuses = (
  deps: MastodonDeps,
  posts: readonly Post[],
  viewer: Viewer,
  context?: FilterContext,
): Promise<Entity[]> =>
  loadStatuses(
    deps,
    posts.map((post) => ({ post, comment: null })),
    viewer,
    context,
  );

/**
 * Presents one writing that the viewer may see.
 * @throws {KithError} `not_found` for a reshare of what the viewer may not see, or no longer
 */
export async function loadStatus(
  deps: MastodonDeps,
  writing: Writing,
  viewer: Viewer,
): Promise<Entity> {
  const [status] = await loadStatuses(deps, [writing], viewer);
  if (!status) throw notFound();
  return status;
}

async function loadSurroundings(
  deps: MastodonDeps,
  writings: readonly Writing[],
  viewer: Viewer,
  context: FilterContext,
): Promise<StatusContext> {
  const { posts, comments, quotes, photos, clock } = deps;
  const given = writings.map(({ post }) => post);
  const replies = writings.flatMap(({ comment }) => comment ?? []);
  const shown = writings.flatMap(({ post, comment }) =>
    comment ? [] : [post],
  );
  const roots = await posts.listByGuid(
    shown.flatMap(({ rootGuid }) => rootGuid ?? []),
    viewer,
  );
  const quoting = [...shown, ...roots.values()];
  const quoted = await quotes.listShown(idsOf(quoting), viewer);
  const all = [...quoting, ...[...quoted.values()].map(({ post }) => post)];
  const ids = idsOf(all);
  const [parents, addressed, parts, reception, filtered, ofPosts, ofComments] =
    await Promise.all([
      comments.listByGuid(
        replies.flatMap(({ parentGuid }) => parentGuid ?? []),
      ),
      loadAddressed(deps, [...given, ...all], viewer),
      loadParts(deps, all, viewer),
      loadReception(deps, { posts: all, comments: replies, viewer }),
      loadFiltered(deps, writings, viewer, context),
      deps.reactions.count("Post", ids, viewer),
      deps.reactions.count(
        "Comment",
        replies.map(({ id }) => id),
        viewer,
      ),
    ]);
  const around = { parents, addressed, roots, quotes: quoted, ...parts };
  return {
    ...around,
    ...reception,
    ...(await loadPeople(deps, [...given, ...all], replies, around, viewer)),
    filtered,
    reactions: new Map([...ofPosts, ...ofComments]),
    site: deps.site,
    now: timestamp(clock.now()),
    photos: await photos.listOf(ids),
    commentPhotos: await photos.listOfComments(replies.map(({ id }) => id)),
    urlsOf: (photo, post) => ({
      large: photos.openUrlOf(photo, post),
      small: photos.openUrlOf(photo, post, "thumb_large"),
    }),
    isAnnouncement: deps.events.isAnnouncement,
  };
}

const idsOf = (posts: readonly Post[]): PostId[] => [
  ...new Set(posts.map(({ id }) => id)),
];

/** The polls, previews and events of posts. */
async function loadParts(
  { polls, linkPreviews, events }: MastodonDeps,
  posts: readonly Post[],
  viewer: Viewer,
): Promise<Pick<StatusContext, "events" | "polls" | "previews">> {
  const ids = idsOf(posts);
  const [results, previews, attached] = await Promise.all([
    polls.listResults(ids, viewer?.personId ?? null),
    linkPreviews.listOf(ids, viewer),
    events.listById(
      posts.flatMap(({ eventId }) => eventId ?? []),
      viewer,
    ),
  ]);
  return { polls: results, previews, events: attached };
}

/** The participants of conversations, and, for their author, people to whom a post was given. */
async function loadAddressed(
  { conversations, posts }: MastodonDeps,
  all: readonly Post[],
  viewer: Viewer,
): Promise<ReadonlyMap<PostId, readonly PersonId[]>> {
  const talks = all.filter(({ participants }) => participants !== null);
  const own = all.filter(
    (post) =>
      post.participants === null &&
      post.limitedTo === "people" &&
      post.personId === viewer?.personId,
  );
  const [ofTalks, ofOwn] = await Promise.all([
    conversations.listParticipantIds(idsOf(talks)),
    own.length === 0 ? new Map() : posts.listRecipientsOf(idsOf(own)),
  ]);
  return new Map<PostId, readonly PersonId[]>([...ofTalks, ...ofOwn]);
}

/** Authors, and everybody whom the texts or the audiences name. */
async function loadPeople(
  { people, countAccounts, site }: MastodonDeps,
  posts: readonly Post[],
  replies: readonly Comment[],
  { addressed, parents }: Pick<StatusContext, "addressed" | "parents">,
  viewer: Viewer,
): Promise<Pick<StatusContext, "accounts" | "known" | "people">> {
  const texts = [...posts, ...replies].map(({ text }) => text);
  const handles = new Set(
    texts.flatMap((text) => mentionsIn(text)).map(({ handle }) => handle),
  );
  const authors = new Set([...posts, ...replies].map((it) => it.personId));
  const others = [
    ...[...addressed.values()].flat(),
    ...[...parents.values()].map(({ personId }) => personId),
  ];
  const [found, mentioned] = await Promise.all([
    people.listById(new Set([...authors, ...others])),
    people.listByHandle([...handles].slice(0, MAX_MENTIONED)),
  ]);
  const shown = [...authors].flatMap((id) => found.get(id) ?? []);
  const counts = await countAccounts(shown);
  const nearness = (id: PersonId) =>
    id === viewer?.personId ? "self" : "stranger";
  return {
    people: found,
    accounts: new Map(
      shown.map((it) => [
        it.id,
        presentAccount(site, it, counts.get(it.id), nearness(it.id)),
      ]),
    ),
    known: new Map(
      [...mentioned.values()]
        .filter(({ state }: Person) => state === "active")
        .map((person) => [person.handle, person]),
    ),
  };
}

const ALL_FILTERS = { offset: 0, limit: 100 };

/** The matches of the viewer's filters. */
async function loadFiltered(
  { filters }: MastodonDeps,
  writings: readonly Writing[],
  viewer: Viewer,
  context: FilterContext,
): Promise<ReadonlyMap<number, readonly Entity[]>> {
  const userId = viewer?.userId ?? null;
  if (userId === null) return new Map();
  const posts = writings.flatMap(({ post, comment }) =>
    comment ? [] : [post],
  );
  const comments = writings.flatMap(({ comment }) => comment ?? []);
  const [ofPosts, ofComments] = await Promise.all([
    filters.matchPosts(posts, viewer, context),
    filters.matchComments(comments, viewer),
  ]);
  if (ofPosts.size + ofComments.size === 0) return new Map();
  const own = await filters.list(userId, ALL_FILTERS);
  const byId = new Map<number, Filter>(own.map((it) => [it.id, it]));
  return new Map(
    writings.flatMap((writing) => {
      const { post, comment } = writing;
      const matches = comment
        ? ofComments.get(comment.id)
        : ofPosts.get(post.id);
      return matches
        ? [[idOfWriting(writing), presentMatches(matches, byId)] as const]
        : [];
    }),
  );
}
