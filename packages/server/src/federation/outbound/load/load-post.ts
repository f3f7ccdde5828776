import type { Accounts } from "../../../features/accounts/index.ts";
import type { CalendarEvent, Events } from "../../../features/events/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Photo, Photos } from "../../../features/photos/index.ts";
import type { Poll, Polls } from "../../../features/polls/index.ts";
import type { Post, Posts } from "../../../features/posts/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import { translate } from "../../../lib/messages/messages.ts";

type CarriedDeps = {
  readonly accounts: Accounts;
  readonly events: Events;
  readonly photos: Photos;
  readonly polls: Polls;
  readonly posts: Pick<Posts, "find">;
  readonly quotes: Pick<Quotes, "find">;
};

/** What a post takes along beside its text. */
export type Attachments = {
  readonly event: CalendarEvent | null;
  readonly poll: Poll | undefined;
  readonly photos: readonly AttachedPhoto[];
  /** What it quotes. */
  readonly quoted: Post | null;
};

/** A picture as it goes to other servers. */
export type AttachedPhoto = {
  readonly photo: Photo;
  /** Where its files are for those who get it, absolute, with a slash at its end. */
  readonly folder: string;
  readonly public: boolean;
};

export async function loadAttachments(
  deps: CarriedDeps,
  post: Post,
  author: Person,
): Promise<Attachments> {
  const photos = (await deps.photos.listOf([post.id])).get(post.id) ?? [];
  return {
    photos: photos.map((photo) => ({
      photo,
      folder: deps.photos.sentFolderOf(photo, post),
      public: post.public,
    })),
    event: await loadAttachedEvent(deps, post, author),
    poll: await deps.polls.find({ postId: post.id }),
    quoted: await findQuoted(deps, post),
  };
}

async function findQuoted(
  { posts, quotes }: CarriedDeps,
  { id }: Post,
): Promise<Post | null> {
  const guid = (await quotes.find(id))?.quotedGuid ?? null;
  return guid === null ? null : ((await posts.find({ guid })) ?? null);
}

/**
 * The event that a post takes along to other servers: there a post carries its
 * own author's events alone, and an event has a name.
 */
export async function loadAttachedEvent(
  { accounts, events }: Pick<CarriedDeps, "accounts" | "events">,
  { eventId }: Post,
  { id, userId }: Person,
): Promise<CalendarEvent | null> {
  if (eventId === null || userId === null) return null;
  const event = await events.find({ id: eventId });
  if (event?.personId !== id) return null;
  if (event.summary !== "") return event;
  const { locale } = await accounts.getSettings(userId);
  return { ...event, summary: translate(locale, "calendars.untitled") };
}
