import type { Comment } from "../../features/comments/index.ts";
import type {
  CommentId,
  PersonId,
  PostId,
  UserId,
} from "../../features/ids.ts";
import type { Post } from "../../features/posts/index.ts";
import type { Viewer } from "../../features/visibility/index.ts";
import type { Reception, StatusContext } from "../entities/status.ts";
import type { MastodonDeps } from "./deps.ts";

type Wanted = {
  readonly posts: readonly Post[];
  readonly comments: readonly Comment[];
  readonly viewer: Viewer;
};

/** Counts replies, likes and reshares, and finds out what the viewer did. */
export async function loadReception(
  deps: MastodonDeps,
  wanted: Wanted,
): Promise<Pick<StatusContext, "ofComments" | "ofPosts">> {
  const [ofPosts, ofComments] = await Promise.all([
    receptionOfPosts(deps, wanted),
    receptionOfComments(deps, wanted),
  ]);
  return { ofPosts, ofComments };
}

const NONE = { likes: 0, dislikes: 0 };

async function receptionOfPosts(
  { comments, posts, likes, quotes, ...deps }: MastodonDeps,
  { posts: all, viewer }: Wanted,
): Promise<Map<PostId, Reception>> {
  if (all.length === 0) return new Map();
  const ids = [...new Set(all.map(({ id }) => id))];
  const guids = [...new Set(all.map(({ guid }) => guid))];
  const userId = viewer?.userId ?? null;
  const [replies, reshares, quoted, liked, own] = await Promise.all([
    comments.count(ids, viewer),
    posts.countReshares(guids, viewer),
    quotes.countQuoting(guids, viewer),
    likes.count("Post", ids),
    viewer === null || userId === null
      ? null
      : Promise.all([
          likes.listBy(viewer.personId, "Post", ids),
          posts.listResharedBy(viewer.personId, guids),
          deps.threads.listMuted(userId, ids),
          deps.bookmarks.listAmong(userId, ids),
          listFollowedAuthors(deps, all, viewer.personId, userId),
        ]),
  ]);
  const muted = new Set(own?.[2]);
  return new Map(
    all.map((post) => {
      const { id, guid } = post;
      return [
        id,
        {
          replies: replies.get(id) ?? 0,
          reshares: reshares.get(guid) ?? 0,
          quotes: quoted.get(guid) ?? 0,
          likes: (liked.get(id) ?? NONE).likes,
          own: own && {
            liked: own[0].get(id) === true,
            reshared: own[1].has(guid),
            muted: muted.has(id),
            bookmarked: own[3].has(id),
            follows: own[4].has(post.personId),
            pinned:
              post.pinnedAt !== null ||
              (isPinnable(post, viewer) ? false : undefined),
          },
        },
      ] as const;
    }),
  );
}

/** The followed ones among the authors of posts that only followers may quote. */
async function listFollowedAuthors(
  { contacts }: Pick<MastodonDeps, "contacts">,
  all: readonly Post[],
  viewerId: PersonId,
  userId: UserId,
): Promise<ReadonlySet<PersonId>> {
  const authorIds = all
    .filter((it) => it.quotableBy === "followers" && it.personId !== viewerId)
    .map(({ personId }) => personId);
  if (authorIds.length === 0) return NOBODY;
  const known = await contacts.listAmong(userId, [...new Set(authorIds)]);
  const followed = [...known.values()].filter(
    ({ following, isConfirmed }) => following && isConfirmed,
  );
  return new Set(followed.map(({ personId }) => personId));
}

const NOBODY: ReadonlySet<PersonId> = new Set();

/** Is it a post of the viewer that can be pinned? */
function isPinnable(
  { personId, type, participants }: Post,
  viewer: Wanted["viewer"],
): boolean {
  return (
    personId === viewer?.personId && type === "post" && participants === null
  );
}

async function receptionOfComments(
  { comments, likes, threads }: MastodonDeps,
  { comments: all, viewer }: Wanted,
): Promise<Map<CommentId, Reception>> {
  if (all.length === 0) return new Map();
  const ids = all.map(({ id }) => id);
  const userId = viewer?.userId ?? null;
  const [replies, liked, own] = await Promise.all([
    comments.countReplies(
      all.map(({ guid }) => guid),
      viewer,
    ),
    likes.count("Comment", ids),
    viewer === null || userId === null
      ? null
      : Promise.all([
          likes.listBy(viewer.personId, "Comment", ids),
          threads.listMuted(
            userId,
            all.map(({ postId }) => postId),
          ),
        ]),
  ]);
  const muted = new Set(own?.[1]);
  return new Map(
    all.map(({ id, guid, postId }) => [
      id,
      {
        replies: replies.get(guid) ?? 0,
        reshares: 0,
        quotes: 0,
        likes: (liked.get(id) ?? NONE).likes,
        own: own && {
          liked: own[0].get(id) === true,
          reshared: false,
          muted: muted.has(postId),
          bookmarked: false,
          follows: false,
          pinned: undefined,
        },
      },
    ]),
  );
}
