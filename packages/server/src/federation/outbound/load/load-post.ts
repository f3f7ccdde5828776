import type { Accounts } from "../../../features/accounts/index.ts";
import type { Events } from "../../../features/events/index.ts";
import type { Likes } from "../../../features/likes/index.ts";
import type { Participations } from "../../../features/participations/index.ts";
import type { People, Person } from "../../../features/people/index.ts";
import type { Photo, Photos } from "../../../features/photos/index.ts";
import type { Polls } from "../../../features/polls/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import { translate } from "../../../lib/messages/messages.ts";
import type {
  AttachedEvent,
  AttachedPhoto,
  Attachments,
  LinkedPeople,
  PostContent,
  QuotedPost,
} from "../content.ts";
import { textBeside } from "../post-text.ts";
import { loadLinkedPeople } from "./load-linked-people.ts";

export type LoadAttachmentsDeps = {
  readonly accounts: Pick<Accounts, "getSettings">;
  readonly events: Pick<Events, "find" | "upcoming">;
  readonly people: Pick<People, "find">;
  readonly photos: Pick<
    Photos,
    "listOf" | "sentFolderOf" | "sentUrlOf" | "urlOf"
  >;
  readonly polls: Pick<Polls, "find">;
  readonly posts: Pick<Posts, "find">;
  readonly quotes: Pick<Quotes, "find">;
};

export type LoadPostDeps = LoadAttachmentsDeps & {
  readonly likes: Pick<Likes, "count">;
  readonly participations: Pick<Participations, "countComing">;
  readonly people: Pick<People, "listByHandle">;
  readonly polls: Pick<Polls, "listResults">;
  readonly posts: Pick<Posts, "countReshares" | "listRecipientIds">;
};

export async function loadAttachments(
  deps: LoadAttachmentsDeps,
  post: Post,
  author: Person,
): Promise<Attachments> {
  const [photos, event, poll, quoted] = await Promise.all([
    deps.photos.listOf([post.id]),
    loadEvent(deps, post, author),
    deps.polls.find({ postId: post.id }),
    loadQuoted(deps, post),
  ]);
  return {
    photos: attachedPhotos(deps, photos.get(post.id) ?? [], post),
    event,
    poll,
    quoted,
  };
}

/** @param post to which, or to a comment on which, the photos belong */
export function attachedPhotos(
  { photos }: Pick<LoadAttachmentsDeps, "photos">,
  found: readonly Photo[],
  post: Post,
): AttachedPhoto[] {
  return found.map((photo) => ({
    photo,
    folder: photos.sentFolderOf(photo, post),
    sentUrl: photos.sentUrlOf(photo, post),
    localUrl: photos.urlOf(photo),
    public: post.public,
  }));
}

/** A reshare has no content of its own: everything is the root's. */
export const NO_CONTENT: PostContent = {
  event: null,
  poll: undefined,
  photos: [],
  quoted: null,
  linked: new Map(),
  pollResult: undefined,
  coming: 0,
  likes: 0,
  reshares: 0,
};

/** @param author a local person */
export async function loadPost(
  deps: LoadPostDeps,
  post: Post,
  author: Person,
): Promise<PostContent> {
  if (post.rootGuid !== null) return NO_CONTENT;
  const attachments = await loadAttachments(deps, post, author);
  const { event, poll } = attachments;
  const [mentionable, results, coming, likes, reshares] = await Promise.all([
    loadMentionable(deps, post, textBeside(post, attachments)),
    poll && !event ? deps.polls.listResults([post.id], null) : undefined,
    event ? deps.participations.countComing(event.id) : 0,
    deps.likes.count("Post", [post.id]),
    deps.posts.countReshares([post.guid], null),
  ]);
  return {
    ...attachments,
    linked: mentionable,
    pollResult: results?.get(post.id),
    coming,
    likes: likes.get(post.id)?.likes ?? 0,
    reshares: reshares.get(post.guid) ?? 0,
  };
}

/**
 * A limited post mentions only its recipients: a tag for another person would make the server of a
 * recipient show it to that person, too.
 */
async function loadMentionable(
  deps: LoadPostDeps,
  post: Post,
  text: string,
): Promise<LinkedPeople> {
  const linked = await loadLinkedPeople(deps, [text]);
  if (post.public || linked.size === 0) return linked;
  const readers = new Set(await deps.posts.listRecipientIds(post.id));
  return new Map(
    [...linked].filter(([, { id }]) => id === post.personId || readers.has(id)),
  );
}

async function loadQuoted(
  { people, posts, quotes }: LoadAttachmentsDeps,
  { id }: Post,
): Promise<QuotedPost | null> {
  const quote = await quotes.find(id);
  if (!quote || quote.quotedGuid === null) return null;
  const post = await posts.find({ guid: quote.quotedGuid });
  const author = post && (await people.find({ id: post.personId }));
  return post && author ? { quote, post, author } : null;
}

/**
 * Load the event that is sent with a post: only the post author's own, because other servers expect
 * that, and only with a name.
 */
async function loadEvent(
  { accounts, events }: LoadAttachmentsDeps,
  { eventId }: Post,
  { id, userId }: Person,
): Promise<AttachedEvent | null> {
  if (eventId === null || userId === null) return null;
  const found = await events.find({ id: eventId });
  if (found?.personId !== id) return null;
  const event = events.upcoming(found);
  const { locale } = await accounts.getSettings(userId);
  const summary =
    event.summary === ""
      ? translate(locale, "calendars.untitled")
      : event.summary;
  return { ...event, summary, locale };
}
