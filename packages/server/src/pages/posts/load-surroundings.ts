import type { Viewer } from "../../features/visibility/index.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { LikeCounts } from "../../features/likes/index.ts";
import type { EventId, PersonId, PostId } from "../../features/ids.ts";
import type { LinkPreview } from "../../features/link-previews/index.ts";
import type { Photo } from "../../features/photos/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { PollResult } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { ReactionCount } from "../../features/reactions/index.ts";
import type { ShownQuote } from "../../features/quotes/index.ts";
import { loadAnswers, type Answers } from "../events/event-card.ts";
import type { PagesContext } from "../session/visitor.ts";
import { findMentioned, type Mentioned } from "./post-text.ts";

/** The data shown with posts, read once for all of them. */
export type Surroundings = {
  readonly people: ReadonlyMap<PersonId, Person>;
  readonly roots: ReadonlyMap<string, Post>;
  readonly photos: ReadonlyMap<PostId, readonly Photo[]>;
  readonly comments: ReadonlyMap<PostId, number>;
  readonly likes: ReadonlyMap<number, LikeCounts>;
  readonly reactions: ReadonlyMap<number, readonly ReactionCount[]>;
  readonly polls: ReadonlyMap<PostId, PollResult>;
  readonly quotes: ReadonlyMap<PostId, ShownQuote>;
  readonly previews: ReadonlyMap<PostId, LinkPreview>;
  readonly events: ReadonlyMap<EventId, CalendarEvent>;
  readonly answers: Answers;
  readonly mentioned: Mentioned;
  /** The viewer's own likes and dislikes. */
  readonly liked: ReadonlyMap<number, boolean>;
  /** The Guids of the posts that the viewer has reshared. */
  readonly reshared: ReadonlySet<string>;
  readonly bookmarked: ReadonlySet<PostId>;
};

/** Reads the data shown with posts that the viewer may see. */
export async function loadSurroundings(
  context: PagesContext,
  posts: readonly Post[],
  viewer: Viewer,
): Promise<Surroundings> {
  const rootGuids = posts.flatMap(({ rootGuid }) => rootGuid ?? []);
  const roots = await context.posts.listByGuid(rootGuids, viewer);
  const all = [...posts, ...roots.values()];
  const ids = all.map(({ id }) => id);
  const quotes = await context.quotes.listShown(ids, viewer);
  const quoted = [...quotes.values()].map(({ post }) => post);
  const shown = [...all, ...quoted];
  const [
    people,
    photos,
    previews,
    comments,
    likes,
    polls,
    mentioned,
    own,
    met,
    reactions,
  ] = await Promise.all([
    context.people.listById(shown.map(({ personId }) => personId)),
    context.photos.listOf(ids),
    context.linkPreviews.listOf(ids, viewer),
    context.comments.count(ids, viewer),
    context.likes.count("Post", ids),
    context.polls.listResults(ids, viewer?.personId ?? null),
    findMentioned(
      context,
      shown.map(({ text }) => text),
    ),
    loadOwn(context, all, viewer),
    loadEvents(context, all, viewer),
    context.reactions.count("Post", ids, viewer),
  ]);
  const read = { people, photos, previews, comments, likes, polls, mentioned };
  return { ...read, ...own, ...met, roots, quotes, reactions };
}

/** The announced events, as far as the viewer may see them. */
async function loadEvents(
  context: PagesContext,
  all: readonly Post[],
  viewer: Viewer,
): Promise<Pick<Surroundings, "events" | "answers">> {
  const ids = [...new Set(all.flatMap(({ eventId }) => eventId ?? []))];
  const events = await context.events.listById(ids, viewer);
  const answers = await loadAnswers(context, [...events.keys()], viewer);
  return { events, answers };
}

/** The viewer's acts on the posts. */
async function loadOwn(
  { bookmarks, likes, posts }: PagesContext,
  all: readonly Post[],
  viewer: Viewer,
): Promise<Pick<Surroundings, "liked" | "reshared" | "bookmarked">> {
  if (viewer === null)
    return { liked: new Map(), reshared: new Set(), bookmarked: new Set() };
  const ids = all.map(({ id }) => id);
  const guids = all.map(({ guid }) => guid);
  const [liked, reshared, bookmarked] = await Promise.all([
    likes.listBy(viewer.personId, "Post", ids),
    posts.listResharedBy(viewer.personId, guids),
    viewer.userId === null
      ? new Set<PostId>()
      : bookmarks.listAmong(viewer.userId, ids),
  ]);
  return { liked, reshared, bookmarked };
}
