import type { Comment } from "../../features/comments/index.ts";
import type { FilterId } from "../../features/ids.ts";
import type { ThreadComment } from "../../features/threads/index.ts";
import type { FilterMatch } from "../../features/visibility/index.ts";
import type { Html } from "../kit/html.ts";
import {
  writeCommentView,
  type Acting,
  type Answered,
  type CommentDraft,
} from "../posts/act-view.ts";
import { commentsView } from "../posts/comments-view.ts";
import type { KitComponent, KitInput } from "./kit-component.ts";
import { SAMPLES } from "./samples/sample-people.ts";
import {
  peopleById,
  sampleComment,
  samplePhotos,
  samplePost,
} from "./samples/sample-posts.ts";

const AT = 60;

const FILTER: FilterMatch = {
  ...{ filterId: 1 as FilterId, title: "No baskets", action: "warn" },
  keywords: ["basket"],
  statuses: [],
};

export async function commentComponents(
  input: KitInput,
): Promise<KitComponent[]> {
  const { acting } = input;
  const tree = answersToAnswers(input);
  const [, answered] = tree;
  const refused = {
    ...{ text: "x".repeat(200), fault: "The comment is too long." },
  };
  const states = {
    "Answers to answers, and one to write": await commentsOf(input, tree, {
      ...{ acting, draft: { text: "" } },
      answered: answered && { ...answered, author: SAMPLES.long },
    }),
    "None yet, and one refused": await commentsOf(input, [], {
      ...{ acting, draft: refused },
    }),
    "Without an account": await commentsOf(input, tree.slice(0, 1), {
      draft: { text: "" },
    }),
  };
  return [{ id: "comment-tree", name: "Comment tree", states }];
}

/** Three levels of a conversation that goes on below them. */
function answersToAnswers({ now }: KitInput): ThreadComment[] {
  const { short, long, rightToLeft, me } = SAMPLES;
  const post = samplePost(AT, short, now);
  const arabic = { text: "حسنًا، إلى اللقاء.", language: "ar" };
  const at = (comment: Comment, depth = 0, deeper = 0) => ({
    ...{ comment, depth, deeper },
  });
  return [
    at(sampleComment(post, short, [1, null], now)),
    at(sampleComment(post, long, [2, 1], now, { text: "With **three**." }), 1),
    at(sampleComment(post, rightToLeft, [3, 2], now, arabic), 2),
    at(
      sampleComment(post, me, [4, 2], now, { updatedAt: now.toISOString() }),
      ...([2, 12] as const),
    ),
    at(sampleComment(post, short, [5, 1], now, { warning: "Wasps" }), 1),
    at(sampleComment(post, rightToLeft, [6, null], now)),
  ];
}

type Commenting = {
  readonly acting?: Acting;
  readonly draft: CommentDraft;
  readonly answered?: Answered | undefined;
};

function commentsOf(
  { context, now }: KitInput,
  items: readonly ThreadComment[],
  { acting, draft, answered }: Commenting,
): Promise<Html> {
  const post = samplePost(AT, SAMPLES.short, now);
  const session = acting?.session;
  const [liked, , , filtered] = items.map(({ comment }) => comment);
  const part = { items, previous: undefined, next: undefined };
  return commentsView(
    context,
    "Comments",
    undefined,
    { post, root: undefined, part, query: "" },
    {
      ...{ session, post, acting, people: peopleById(), mentioned: new Map() },
      likes: new Map(liked && [[liked.id, { likes: 2, dislikes: 0 }]]),
      liked: new Map(liked && [[liked.id, true]]),
      reactions: new Map(
        liked && [[liked.id, [{ emoji: "🍒", emojiUrl: null, count: 3 }]]],
      ),
      filtered: new Map(filtered && [[filtered.id, [FILTER]]]),
      photos: new Map(liked && [[liked.id, samplePhotos(context.baseUrl, 2)]]),
    },
    {
      form: writeCommentView(session, post, draft, answered),
      unread: undefined,
    },
  );
}
