import type { NotificationReason } from "../../db/schema/columns/notification.ts";
import type { Comment, Comments } from "../comments/index.ts";
import type { PersonId, PostId, UserId } from "../ids.ts";
import type { People } from "../people/index.ts";
import type { Polls } from "../polls/index.ts";
import type { Post, Posts } from "../posts/index.ts";
import type { Quotes } from "../quotes/index.ts";

type PostNoticeDeps = {
  readonly people: Pick<People, "listById">;
  readonly polls: Pick<Polls, "find" | "listVoterIds">;
  readonly posts: Pick<Posts, "findVisible" | "listResharerIds">;
  readonly quotes: Pick<Quotes, "listHere">;
};

/** A notification of a post for a local user; whether that may see the post is asked later. */
export type PostNotice = {
  readonly userId: UserId;
  readonly reason: Extract<
    NotificationReason,
    "poll_ended" | "post_changed" | "quoted_changed"
  >;
  readonly by: PersonId;
  readonly thing: {
    readonly type: "Post";
    readonly guid: string;
    readonly postId: PostId;
    /** The quoted post: who muted it is not notified. */
    readonly rootId?: PostId;
  };
};

/**
 * The people here who reshared a post that changed, or quote it: it stands in their names, too.
 * Those who quote it are led to their own post, which shows the new text.
 */
export async function listEditNotices(
  deps: PostNoticeDeps,
  post: Post,
): Promise<PostNotice[]> {
  if (post.type !== "post") return [];
  const resharers = await deps.posts.listResharerIds(post.guid);
  return [
    ...(await listNotices(deps, post, "post_changed", resharers)),
    ...(await listQuotedNotices(deps, post)),
  ];
}

async function listQuotedNotices(
  { posts, quotes }: PostNoticeDeps,
  { id, guid: quotedGuid, personId: by }: Post,
): Promise<PostNotice[]> {
  const notices: PostNotice[] = [];
  for (const { guid, postId, ...author } of await quotes.listHere(quotedGuid)) {
    if (!(await posts.findVisible({ id }, author))) continue;
    const thing = { type: "Post", guid, postId, rootId: id } as const;
    const { userId } = author;
    notices.push({ userId, reason: "quoted_changed", by, thing });
  }
  return notices;
}

/** The author of an ended poll, and those who voted. */
export async function listPollNotices(
  deps: PostNoticeDeps,
  post: Post,
): Promise<PostNotice[]> {
  const poll = await deps.polls.find({ postId: post.id });
  if (!poll) return [];
  const voters = await deps.polls.listVoterIds(poll.id);
  return listNotices(deps, post, "poll_ended", [post.personId, ...voters]);
}

async function listNotices(
  { people }: PostNoticeDeps,
  { id: postId, guid, personId: by }: Post,
  reason: PostNotice["reason"],
  concerned: readonly PersonId[],
): Promise<PostNotice[]> {
  const found = await people.listById([...new Set(concerned)]);
  return [...found.values()].flatMap(({ userId }) =>
    userId === null
      ? []
      : [{ userId, reason, by, thing: { type: "Post", guid, postId } }],
  );
}

type QuotedDeps = {
  readonly people: Pick<People, "find">;
  readonly posts: Pick<Posts, "find">;
  readonly quotes: Pick<Quotes, "find">;
};

/** The local author of the quoted post. */
export async function findQuoted(
  { people, posts, quotes }: QuotedDeps,
  postId: PostId,
): Promise<UserId | null> {
  const quote = await quotes.find(postId);
  if (quote?.state !== "accepted" || quote.quotedGuid === null) return null;
  const quoted = await posts.find({ guid: quote.quotedGuid });
  const author = quoted && (await people.find({ id: quoted.personId }));
  return author?.userId ?? null;
}

type AnsweredDeps = {
  readonly comments: Pick<Comments, "find">;
  readonly people: Pick<People, "find">;
};

/** The local author of the parent comment. */
export async function findAnswered(
  { comments, people }: AnsweredDeps,
  { parentGuid, postId }: Pick<Comment, "parentGuid" | "postId">,
): Promise<UserId | null> {
  if (parentGuid === null) return null;
  const answered = await comments.find({ guid: parentGuid });
  if (answered?.postId !== postId) return null;
  const author = await people.find({ id: answered.personId });
  return author?.userId ?? null;
}
