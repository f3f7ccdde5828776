import type { Viewer } from "../../features/visibility/index.ts";
import type { Bookmarks } from "../../features/bookmarks/index.ts";
import type { Comment, Comments } from "../../features/comments/index.ts";
import type { Events } from "../../features/events/index.ts";
import type { LikeCounts, Likes } from "../../features/likes/index.ts";
import type { People, Person } from "../../features/people/index.ts";
import type { Photo, Photos } from "../../features/photos/index.ts";
import type { PollResult, Polls } from "../../features/polls/index.ts";
import type { EventId, PersonId, PostId } from "../../features/ids.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import type { Quotes } from "../../features/quotes/index.ts";
import type { Threads } from "../../features/threads/index.ts";
import { presentEvents, type PresentEventsDeps } from "./present-events.ts";
import {
  presentBesideText,
  presentComment,
  presentLocation,
  presentPerson,
  presentPhoto,
  presentPoll,
  presentQuote,
  type WireRecord,
} from "../schemas/records.ts";
import { presentAudience } from "../schemas/audience-records.ts";
import { POST_TYPES } from "../schemas/schema-parts.ts";

export type PresentPostsDeps = PresentEventsDeps & {
  readonly people: People;
  readonly events: Events;
  readonly posts: Posts;
  readonly bookmarks: Bookmarks;
  readonly photos: Photos;
  readonly comments: Comments;
  readonly likes: Likes;
  readonly polls: Polls;
  readonly quotes: Quotes;
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
  readonly photos: ReadonlyMap<PostId, readonly Photo[]>;
  readonly comments: readonly Comment[];
  readonly commentCounts: ReadonlyMap<number, number>;
  readonly reshareCounts: ReadonlyMap<string, number>;
  readonly likes: ReadonlyMap<number, LikeCounts>;
  readonly commentLikes: ReadonlyMap<number, LikeCounts>;
  readonly events: ReadonlyMap<EventId, WireRecord>;
  /** Of the viewer's own posts. */
  readonly audiences: ReadonlyMap<PostId, WireRecord>;
  /** The posts whose conversations the viewer has muted. */
  readonly muted: ReadonlySet<PostId>;
  /** By the viewer. */
  readonly bookmarked: ReadonlySet<PostId>;
};

/**
 * Presents posts in the given order. The caller has checked that the viewer may
 * see them.
 * @param areNew just published, so they have no comments, likes or reshares
 */
export async function presentPosts(
  deps: PresentPostsDeps,
  posts: readonly Post[],
  viewer: Viewer,
  areNew = false,
): Promise<WireRecord[]> {
  const around = await loadSurroundings(deps, posts, viewer, areNew);
  return posts.map((post) => presentPost(deps, post, around));
}

async function loadSurroundings(
  deps: PresentPostsDeps,
  posts: readonly Post[],
  viewer: Viewer,
  areNew: boolean,
): Promise<Surroundings> {
  const rootGuids = posts.flatMap(({ rootGuid }) => rootGuid ?? []);
  const roots = await deps.posts.listByGuid(rootGuids, viewer);
  const all = [...posts, ...roots.values()];
  const ids = all.map(({ id }) => id);
  const old = areNew ? [...roots.values()] : all;
  const oldIds = old.map(({ id }) => id);
  // Queried in parallel, since PostgreSQL pipelines them.
  const [
    muted,
    quotes,
    photos,
    polls,
    events,
    below,
    commentCounts,
    reshareCounts,
    likes,
    audiences,
    bookmarked,
  ] = await Promise.all([
    listMuted(deps, oldIds, viewer),
    presentQuoted(deps, ids, viewer),
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
  ]);
  return {
    ...{ audiences, roots, quotes, photos, polls, events, ...below },
    ...{ commentCounts, reshareCounts, likes, muted, bookmarked },
  };
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
  const found = await people.listById([...recipients.values()].flat());
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
  const people = await deps.people.listById(
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
): Promise<Pick<Surroundings, "comments" | "commentLikes" | "people">> {
  const { comments: all } = deps;
  const comments = await all.listNewest(below, COMMENTS_PER_POST, viewer);
  const [people, commentLikes] = await Promise.all([
    deps.people.listById(
      [...posts, ...comments].map(({ personId }) => personId),
    ),
    deps.likes.count(
      "Comment",
      comments.map(({ id }) => id),
    ),
  ]);
  return { comments, people, commentLikes };
}

/** The events attached to the posts, as far as the viewer may see them. */
async function presentAttachments(
  deps: PresentPostsDeps,
  posts: readonly Post[],
  viewer: Viewer,
): Promise<Map<EventId, WireRecord>> {
  const ids = posts.flatMap(({ eventId }) => eventId ?? []);
  const events = [...(await deps.events.listById(ids, viewer)).values()];
  const records = await presentEvents(deps, events);
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
      .map((comment) =>
        presentComment(
          comment,
          around.people.get(comment.personId),
          around.commentLikes.get(comment.id)?.likes ?? 0,
        ),
      ),
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
    ...(audience && { Audience: audience }),
    ...(around.muted.has(post.id) && { Muted: true }),
    ...(around.bookmarked.has(post.id) && { Bookmarked: true }),
  };
}

function urlOf({ baseUrl }: PresentPostsDeps, { url, guid }: Post): string {
  return url ?? `${baseUrl}/posts/${guid}`;
}
