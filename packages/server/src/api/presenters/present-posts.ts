import type {
  FilterContext,
  FilterMatch,
  Viewer,
} from "../../features/visibility/index.ts";
import type { Bookmarks } from "../../features/bookmarks/index.ts";
import type { Comment, Comments } from "../../features/comments/index.ts";
import type { Filters } from "../../features/filters/index.ts";
import type { Events } from "../../features/events/index.ts";
import type { LikeCounts, Likes } from "../../features/likes/index.ts";
import type {
  LinkPreview,
  LinkPreviews,
} from "../../features/link-previews/index.ts";
import type { People, Person } from "../../features/people/index.ts";
import type { Photo, Photos } from "../../features/photos/index.ts";
import type { PollResult, Polls } from "../../features/polls/index.ts";
import type {
  CommentId,
  EventId,
  PersonId,
  PostId,
} from "../../features/ids.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import type { Quotes } from "../../features/quotes/index.ts";
import type {
  ReactionCount,
  Reactions,
} from "../../features/reactions/index.ts";
import type { Threads } from "../../features/threads/index.ts";
import { presentEvents, type PresentEventsDeps } from "./present-events.ts";
import {
  presentBesideText,
  presentComment,
  presentLinkPreview,
  presentLocation,
  presentPerson,
  presentPhoto,
  presentPhotos,
  presentPoll,
  presentQuote,
  presentReactions,
  type WireRecord,
} from "../schemas/records.ts";
import { presentFiltered } from "../schemas/filter-records.ts";
import { presentAudience } from "../schemas/audience-records.ts";
import type { AnswerScope } from "../kit/answer-scope.ts";
import { POST_TYPES } from "../schemas/schema-parts.ts";

export type PresentPostsDeps = PresentEventsDeps & {
  readonly people: People;
  readonly events: Events;
  readonly filters: Filters;
  readonly posts: Posts;
  readonly bookmarks: Bookmarks;
  readonly photos: Photos;
  readonly comments: Comments;
  readonly likes: Likes;
  readonly polls: Polls;
  readonly linkPreviews: LinkPreviews;
  readonly quotes: Quotes;
  readonly reactions: Reactions;
  readonly threads: Threads;
  readonly baseUrl: string;
};

const COMMENTS_PER_POST = 10;
const NONE: LikeCounts = { likes: 0, dislikes: 0 };

/** The data shown with a page of posts, read once for all of them. */
type Surroundings = {
  readonly people: ReadonlyMap<PersonId, Person>;
  readonly roots: ReadonlyMap<string, Post>;
  readonly polls: ReadonlyMap<number, PollResult>;
  readonly quotes: ReadonlyMap<PostId, WireRecord>;
  readonly previews: ReadonlyMap<PostId, LinkPreview>;
  readonly photos: ReadonlyMap<PostId, readonly Photo[]>;
  readonly comments: readonly Comment[];
  readonly commentCounts: ReadonlyMap<number, number>;
  readonly reshareCounts: ReadonlyMap<string, number>;
  readonly likes: ReadonlyMap<number, LikeCounts>;
  readonly commentLikes: ReadonlyMap<number, LikeCounts>;
  readonly commentPhotos: ReadonlyMap<CommentId, readonly Photo[]>;
  readonly reactions: ReadonlyMap<number, readonly ReactionCount[]>;
  readonly commentReactions: ReadonlyMap<number, readonly ReactionCount[]>;
  readonly filteredComments: ReadonlyMap<CommentId, readonly FilterMatch[]>;
  readonly events: ReadonlyMap<EventId, WireRecord>;
  /** Of the viewer's own posts. */
  readonly audiences: ReadonlyMap<PostId, WireRecord>;
  /** The posts whose conversations the viewer has muted. */
  readonly muted: ReadonlySet<PostId>;
  /** By the viewer. */
  readonly bookmarked: ReadonlySet<PostId>;
  readonly filtered: ReadonlyMap<PostId, readonly FilterMatch[]>;
};

type PresentOptions = {
  /** Just published, so they have no comments, likes or reshares. */
  readonly areNew?: boolean;
  /** The list in which they are read, for the filters of the viewer; none apply without one. */
  readonly context?: FilterContext;
  /** Where an answer that is kept names what it shows. */
  readonly scope?: AnswerScope;
};

/**
 * Presents posts in the given order. The caller has checked that the viewer may
 * see them.
 */
export async function presentPosts(
  deps: PresentPostsDeps,
  posts: readonly Post[],
  viewer: Viewer,
  options: PresentOptions = {},
): Promise<WireRecord[]> {
  const around = await loadSurroundings(deps, posts, viewer, options);
  return posts.map((post) => presentPost(deps, post, around));
}

async function loadSurroundings(
  deps: PresentPostsDeps,
  posts: readonly Post[],
  viewer: Viewer,
  { areNew = false, context, scope }: PresentOptions,
): Promise<Surroundings> {
  const rootGuids = posts.flatMap(({ rootGuid }) => rootGuid ?? []);
  const roots = await deps.posts.listByGuid(rootGuids, viewer);
  const all = [...posts, ...roots.values()];
  const ids = all.map(({ id }) => id);
  const old = areNew ? [...roots.values()] : all;
  const oldIds = old.map(({ id }) => id);
  if (scope) await nameShown(deps, scope, all);
  // Queried in parallel, since PostgreSQL pipelines them.
  const [
    muted,
    quotes,
    previews,
    photos,
    polls,
    events,
    below,
    commentCounts,
    reshareCounts,
    likes,
    audiences,
    bookmarked,
    filtered,
    reactions,
  ] = await Promise.all([
    listMuted(deps, oldIds, viewer),
    presentQuoted(deps, ids, viewer),
    deps.linkPreviews.listOf(ids, viewer),
    deps.photos.listOf(ids),
    deps.polls.listResults(ids, viewer?.personId ?? null),
    presentAttachments(deps, all, viewer),
    loadComments(deps, all, oldIds, viewer),
    deps.comments.count(oldIds, viewer),
    deps.posts.countReshares(
      old.map(({ guid }) => guid),
      viewer,
    ),
    deps.likes.count("Post", oldIds),
    presentAudiences(deps, all, viewer),
    listBookmarked(deps, oldIds, viewer),
    context
      ? deps.filters.matchPosts(posts, viewer, context)
      : new Map<PostId, FilterMatch[]>(),
    deps.reactions.count("Post", oldIds, viewer),
  ]);
  return {
    ...{ audiences, roots, quotes, previews, photos, polls, events, ...below },
    ...{ commentCounts, reshareCounts, likes, muted, bookmarked },
    ...{ filtered, reactions },
  };
}

/** Names what a kept answer shows, and what it would show if it were here. */
async function nameShown(
  { posts }: PresentPostsDeps,
  scope: AnswerScope,
  shown: readonly Post[],
): Promise<void> {
  scope.addPosts(shown.map(({ id }) => id));
  scope.addNames(
    shown.flatMap(({ guid, rootGuid }) => [guid, rootGuid ?? []].flat()),
  );
  scope.addNames(await posts.listNamesBeside(shown.map(({ id }) => id)));
}

async function listBookmarked(
  { bookmarks }: PresentPostsDeps,
  ids: readonly PostId[],
  viewer: Viewer,
): Promise<ReadonlySet<PostId>> {
  const userId = viewer?.userId ?? null;
  return userId === null ? new Set() : bookmarks.listAmong(userId, ids);
}

/**
 * Readers learn only whether a post is limited; its author learns to whom. A post for everyone
 * has no audience.
 */
async function presentAudiences(
  { posts, people }: PresentPostsDeps,
  all: readonly Post[],
  viewer: Viewer,
): Promise<Map<PostId, WireRecord>> {
  const own = all.filter(
    ({ personId, public: isPublic, listed }) =>
      personId === viewer?.personId && !(isPublic && listed),
  );
  const named = own.filter(({ limitedTo }) => limitedTo === "people");
  const recipients = await posts.listRecipientsOf(named.map(({ id }) => id));
  const found = await people.listShown([...recipients.values()].flat());
  return new Map(
    own.map((post) => {
      const ids = recipients.get(post.id) ?? [];
      const those = ids.flatMap((id) => found.get(id) ?? []);
      return [post.id, presentAudience(post, those)];
    }),
  );
}

async function listMuted(
  { threads }: PresentPostsDeps,
  ids: readonly PostId[],
  viewer: Viewer,
): Promise<Set<PostId>> {
  if (viewer === null || viewer.userId === null) return new Set();
  return new Set(await threads.listMuted(viewer.userId, ids));
}

/** The quoted posts, as far as the viewer may see them. */
async function presentQuoted(
  deps: PresentPostsDeps,
  ids: readonly PostId[],
  viewer: Viewer,
): Promise<Map<PostId, WireRecord>> {
  const shown = await deps.quotes.listShown(ids, viewer);
  const people = await deps.people.listShown(
    [...shown.values()].map(({ post }) => post.personId),
  );
  return new Map(
    [...shown].map(([id, quote]) => {
      const person = people.get(quote.post.personId);
      const about = { person, url: urlOf(deps, quote.post) };
      return [id, presentQuote(quote, about)] as const;
    }),
  );
}

/** The newest comments of the posts, with the authors of comments and posts. */
async function loadComments(
  deps: PresentPostsDeps,
  posts: readonly Post[],
  below: readonly PostId[],
  viewer: Viewer,
): Promise<
  Pick<
    Surroundings,
    | "comments"
    | "commentLikes"
    | "commentPhotos"
    | "commentReactions"
    | "filteredComments"
    | "people"
  >
> {
  const { comments: all } = deps;
  const comments = await all.listNewest(below, COMMENTS_PER_POST, viewer);
  const ids = comments.map(({ id }) => id);
  const [people, commentLikes, commentReactions, filteredComments, photos] =
    await Promise.all([
      deps.people.listShown(
        [...posts, ...comments].map(({ personId }) => personId),
      ),
      deps.likes.count("Comment", ids),
      deps.reactions.count("Comment", ids, viewer),
      deps.filters.matchComments(comments, viewer),
      deps.photos.listOfComments(ids),
    ]);
  return {
    ...{ comments, people, commentLikes, commentReactions },
    ...{ filteredComments, commentPhotos: photos },
  };
}

/** The events attached to the posts, as far as the viewer may see them. */
async function presentAttachments(
  deps: PresentPostsDeps,
  posts: readonly Post[],
  viewer: Viewer,
): Promise<Map<EventId, WireRecord>> {
  const ids = posts.flatMap(({ eventId }) => eventId ?? []);
  const events = [...(await deps.events.listById(ids, viewer)).values()];
  const records = await presentEvents(deps, events, viewer?.personId ?? null);
  return new Map(
    events.map(({ id }, index) => [id, records[index] ?? {}] as const),
  );
}

function presentPost(
  deps: PresentPostsDeps,
  post: Post,
  around: Surroundings,
): WireRecord {
  const person = around.people.get(post.personId);
  const root =
    post.rootGuid === null ? undefined : around.roots.get(post.rootGuid);
  const poll = around.polls.get(post.id);
  const quote = around.quotes.get(post.id);
  const audience = around.audiences.get(post.id);
  const preview = around.previews.get(post.id);
  const { likes, dislikes } = around.likes.get(post.id) ?? NONE;
  return {
    ID: post.id,
    CreatedAt: post.createdAt,
    UpdatedAt: post.updatedAt,
    PersonID: post.personId,
    Public: post.public,
    Guid: post.guid,
    Type: POST_TYPES[post.type],
    Text: post.text,
    ...(post.nsfw && { Nsfw: true }),
    ...presentBesideText(post, person),
    ProviderName: post.providerName,
    RootGuid: post.rootGuid,
    RootPersonID: post.rootPersonId ?? 0,
    Person: person ? presentPerson(person) : null,
    Comments: around.comments
      .filter(({ postId }) => postId === post.id)
      .map((comment) => ({
        ...presentComment(
          comment,
          around.people.get(comment.personId),
          around.commentLikes.get(comment.id)?.likes ?? 0,
        ),
        ...presentPhotos(
          around.commentPhotos.get(comment.id),
          deps.photos.urlOf,
        ),
        ...presentReactions(around.commentReactions.get(comment.id)),
        ...presentFiltered(around.filteredComments.get(comment.id)),
      })),
    Photos: (around.photos.get(post.id) ?? []).map((photo) =>
      presentPhoto(photo, deps.photos.urlOf),
    ),
    Poll: poll ? presentPoll(poll) : null,
    // Optional fields are left out when empty, so that clients find exactly the
    // specified ones.
    ...(post.location && { Location: presentLocation(post.location) }),
    LikesCount: likes,
    DislikesCount: dislikes,
    CommentsCount: around.commentCounts.get(post.id) ?? 0,
    ResharesCount: around.reshareCounts.get(post.guid) ?? 0,
    Root: root ? presentPost(deps, root, around) : null,
    Event:
      post.eventId === null ? null : (around.events.get(post.eventId) ?? null),
    Url: urlOf(deps, post),
    ...(quote && { Quote: quote }),
    ...(post.quotableBy !== "everyone" && { QuotableBy: post.quotableBy }),
    ...(preview && { LinkPreview: presentLinkPreview(preview) }),
    ...presentReactions(around.reactions.get(post.id)),
    ...(audience && { Audience: audience }),
    ...(around.muted.has(post.id) && { Muted: true }),
    ...(post.pinnedAt !== null && { Pinned: true }),
    ...(around.bookmarked.has(post.id) && { Bookmarked: true }),
    ...presentFiltered(around.filtered.get(post.id)),
  };
}

function urlOf({ baseUrl }: PresentPostsDeps, { url, guid }: Post): string {
  return url ?? `${baseUrl}/posts/${guid}`;
}
