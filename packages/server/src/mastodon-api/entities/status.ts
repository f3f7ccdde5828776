import type { Comment } from "../../features/comments/index.ts";
import type { CalendarEvent } from "../../features/events/index.ts";
import type { LinkPreview } from "../../features/link-previews/index.ts";
import type { Person } from "../../features/people/index.ts";
import type { Photo } from "../../features/photos/index.ts";
import type { PollResult } from "../../features/polls/index.ts";
import type { Post } from "../../features/posts/index.ts";
import type { ReactionCount } from "../../features/reactions/index.ts";
import type { CommentId, PersonId, PostId } from "../../features/ids.ts";
import { escapeHtml } from "../../lib/html/html-cleaner.ts";
import { readText } from "../../lib/markdown/markdown.ts";
import type { Timestamp } from "../../lib/time/clock.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";
import { presentMention } from "./account.ts";
import {
  presentCard,
  presentEventCard,
  renderEventLines,
  renderEventFile,
} from "./card.ts";
import { withoutMarkup, renderContent, type KnownPeople } from "./content.ts";
import { presentMedia } from "./media.ts";
import { presentPollOf } from "./poll.ts";
import { isWebUrl, presentEmojis, tagUrl, type SiteAddresses } from "./site.ts";

/** A post, or a comment on one: clients know both as statuses, with ids of one space. */
export type Writing = { readonly post: Post; readonly comment: Comment | null };

export const idOfWriting = ({ post, comment }: Writing): number =>
  comment?.id ?? post.id;

/** The counts of a writing, and the viewer's own part in them. */
export type Reception = {
  readonly replies: number;
  readonly reshares: number;
  readonly quotes: number;
  readonly likes: number;
  /** null without a viewer. */
  readonly own: {
    readonly liked: boolean;
    readonly reshared: boolean;
    readonly muted: boolean;
    readonly bookmarked: boolean;
    /** Does the viewer follow the author? Found out where only followers may quote. */
    readonly follows: boolean;
    /** By its author; undefined for a writing that is not, and that the viewer cannot pin. */
    readonly pinned: boolean | undefined;
  } | null;
};

/** The data shown with a page of writings, read once for all of them. */
export type StatusContext = {
  readonly site: SiteAddresses;
  readonly now: Timestamp;
  readonly people: ReadonlyMap<PersonId, Person>;
  /** The authors, as they are shown. */
  readonly accounts: ReadonlyMap<PersonId, Entity>;
  readonly known: KnownPeople;
  /** By Guid: reshared posts that the viewer may see. */
  readonly roots: ReadonlyMap<string, Post>;
  /** By Guid: the comments that others reply to. */
  readonly parents: ReadonlyMap<string, Comment>;
  /** The people to whom a post is addressed, where they are named. */
  readonly addressed: ReadonlyMap<PostId, readonly PersonId[]>;
  readonly photos: ReadonlyMap<PostId, readonly Photo[]>;
  readonly commentPhotos: ReadonlyMap<CommentId, readonly Photo[]>;
  readonly urlsOf: (
    photo: Photo,
    post: Post,
  ) => { readonly large: string; readonly small: string };
  readonly polls: ReadonlyMap<PostId, PollResult>;
  readonly previews: ReadonlyMap<PostId, LinkPreview>;
  readonly events: ReadonlyMap<number, CalendarEvent>;
  readonly isAnnouncement: (text: string, event: CalendarEvent) => boolean;
  readonly quotes: ReadonlyMap<PostId, { state: string; post: Post }>;
  readonly ofPosts: ReadonlyMap<PostId, Reception>;
  readonly ofComments: ReadonlyMap<CommentId, Reception>;
  /** By the id of the writing. */
  readonly reactions: ReadonlyMap<number, readonly ReactionCount[]>;
  /** The results of the viewer's filters, by the id of the writing. */
  readonly filtered: ReadonlyMap<number, readonly Entity[]>;
};

/** More of them are not shown by clients. */
const MAX_MEDIA = 16;

/**
 * Presents a writing that the viewer may see.
 * @returns undefined for a reshare of something that the viewer may not see
 */
export function presentStatus(
  around: StatusContext,
  writing: Writing,
): Entity | undefined {
  const { post } = writing;
  if (writing.comment !== null || post.type !== "reshare")
    return presentPlain(around, writing);
  const root = around.roots.get(post.rootGuid ?? "");
  const account = around.accounts.get(post.personId);
  const plain = root && presentPlain(around, { post: root, comment: null });
  if (!root || !plain || !account) return undefined;
  // Filters look at a reshare together with its root.
  const filtered = around.filtered.get(post.id);
  const reblog = filtered ? { ...plain, filtered } : plain;
  return {
    ...reblog,
    id: toWireId(post.id),
    uri: uriOf(around, writing),
    url: urlOf(around.site, writing),
    created_at: toWireTime(post.createdAt),
    edited_at: null,
    account,
    visibility: visibilityOf(post),
    reblog,
  };
}

function presentPlain(
  around: StatusContext,
  writing: Writing,
  isQuoted = false,
): Entity | undefined {
  const { site } = around;
  const { post, comment } = writing;
  const text = comment ?? post;
  const account = around.accounts.get(text.personId);
  const author = around.people.get(text.personId);
  if (!account || !author) return undefined;
  const isEdited = text.updatedAt > text.createdAt;
  const received = receptionOf(around, writing);
  const { tags, handles } = readText(text.text);
  return {
    id: toWireId(idOfWriting(writing)),
    uri: uriOf(around, writing),
    url: urlOf(site, writing),
    created_at: toWireTime(text.createdAt),
    edited_at: isEdited ? toWireTime(text.updatedAt) : null,
    ...presentParent(around, writing),
    account,
    content: renderWriting(around, writing),
    visibility: visibilityOf(post),
    sensitive: isSensitive(author, writing),
    spoiler_text: text.warning ?? "",
    language: text.language,
    mentions: presentMentions(around, writing, handles),
    tags: tags.map((name) => ({ name, url: tagUrl(site, name) })),
    emojis: presentEmojis(site, text.emojis, author),
    reblogs_count: received.reshares,
    favourites_count: received.likes,
    replies_count: received.replies,
    quotes_count: received.quotes,
    reblog: null,
    ...(comment === null
      ? presentAttached(around, post, received, isQuoted)
      : {
          ...NOTHING_ATTACHED,
          media_attachments: presentPhotos(around, writing),
        }),
    quote_approval: presentApproval(writing, received),
    ...presentReactions(around.reactions.get(idOfWriting(writing))),
    ...presentOwn(received, around.filtered.get(idOfWriting(writing))),
  };
}

/** Everything by somebody whose profile says so is, as on the pages. */
const isSensitive = (
  { profile }: Person,
  { post, comment }: Writing,
): boolean =>
  profile.nsfw ||
  (comment ?? post).warning !== null ||
  (comment === null && post.nsfw);

/** As Pleroma shows them, which some programs read; no key without reactions. */
function presentReactions(
  counts: readonly ReactionCount[] | undefined,
): Entity {
  if (!counts) return {};
  const reactions = counts.map(({ emoji, emojiUrl, count }) => ({
    name: emoji.replace(/^:(.+):$/, "$1"),
    ...{ count, me: false },
    ...(emojiUrl !== null && { url: emojiUrl, static_url: emojiUrl }),
  }));
  return { pleroma: { emoji_reactions: reactions } };
}

/** Comments have none of these. */
const NOTHING_ATTACHED = {
  poll: null,
  card: null,
  quote: null,
  application: null,
};

function presentAttached(
  around: StatusContext,
  post: Post,
  { own }: Reception,
  isQuoted: boolean,
): Entity {
  const poll = around.polls.get(post.id);
  return {
    media_attachments: presentPhotos(around, { post, comment: null }),
    poll: poll ? presentPollOf(poll, around.now, own !== null) : null,
    card: cardOf(around, post),
    quote: isQuoted ? null : presentQuoteOf(around, post),
    application:
      post.providerName === ""
        ? null
        : { name: post.providerName, website: null },
  };
}

const NONE: Reception = {
  ...{ replies: 0, reshares: 0, quotes: 0, likes: 0 },
  own: null,
};

const receptionOf = (
  { ofPosts, ofComments }: StatusContext,
  { post, comment }: Writing,
): Reception =>
  (comment ? ofComments.get(comment.id) : ofPosts.get(post.id)) ?? NONE;

/** The fields that depend on the viewer. */
function presentOwn(
  { own }: Reception,
  filtered: readonly Entity[] = [],
): Entity {
  if (own === null) return {};
  return {
    favourited: own.liked,
    reblogged: own.reshared,
    muted: own.muted,
    bookmarked: own.bookmarked,
    ...(own.pinned !== undefined && { pinned: own.pinned }),
    filtered,
  };
}

/** All limited posts are private: aspects are not revealed. */
export function visibilityOf(
  post: Pick<Post, "listed" | "participants" | "public">,
): "direct" | "private" | "public" | "unlisted" {
  if (post.participants !== null) return "direct";
  if (!post.public) return "private";
  return post.listed ? "public" : "unlisted";
}

function urlOf({ baseUrl }: SiteAddresses, { post, comment }: Writing): string {
  if (comment) return `${baseUrl}/comments/${encodeURIComponent(comment.guid)}`;
  return isWebUrl(post.url ?? "")
    ? (post.url ?? "")
    : `${baseUrl}/posts/${encodeURIComponent(post.guid)}`;
}

function uriOf({ site, people }: StatusContext, writing: Writing): string {
  const { post, comment } = writing;
  const author = people.get((comment ?? post).personId);
  const uri =
    author &&
    (comment
      ? site.uris.ofComment(comment, author)
      : site.uris.ofPost(post, author));
  return uri ?? urlOf(site, writing);
}

function presentParent(
  { parents }: StatusContext,
  { post, comment }: Writing,
): Entity {
  if (!comment) return { in_reply_to_id: null, in_reply_to_account_id: null };
  const parent = parents.get(comment.parentGuid ?? "");
  const isAbove = parent?.postId === post.id && parent.id !== comment.id;
  const above = isAbove ? parent : post;
  return {
    in_reply_to_id: toWireId(above.id),
    in_reply_to_account_id: toWireId(above.personId),
  };
}

function renderWriting(around: StatusContext, writing: Writing): string {
  const { site, known } = around;
  const { post, comment } = writing;
  const text = (comment ?? post).text;
  const content = renderContent(site, text, known);
  if (comment) return content;
  const event = around.events.get(post.eventId ?? 0);
  const isSaid = event && around.isAnnouncement(text, event);
  const question = around.polls.get(post.id)?.poll.question ?? "";
  return [
    content,
    // The question of a poll may be all there is.
    ...(question !== "" && !withoutMarkup(text).includes(question)
      ? [`<p>${escapeHtml(question)}</p>`]
      : []),
    ...(event && !isSaid ? [renderEventLines(site, event)] : []),
    ...(event?.audience === "everyone" ? [renderEventFile(site, event)] : []),
    ...renderPlace(post),
  ].join("");
}

function renderPlace({ location }: Post): string[] {
  if (!location) return [];
  const { lat, lng, address } = location;
  const place = encodeURIComponent(`${lat},${lng}`).replace("%2C", ",");
  const name = escapeHtml(address === "" ? `${lat}, ${lng}` : address);
  return [`<p><a href="geo:${place}" rel="nofollow">${name}</a></p>`];
}

function presentPhotos(
  { photos, commentPhotos, urlsOf }: StatusContext,
  { post, comment }: Writing,
): Entity[] {
  const all = comment ? commentPhotos.get(comment.id) : photos.get(post.id);
  const shown = (all ?? []).slice(0, MAX_MEDIA);
  return shown.map((photo) => presentMedia(photo, urlsOf(photo, post)));
}

/** The people named in the text, and those to whom a post is addressed by name. */
function presentMentions(
  { site, known, people, addressed }: StatusContext,
  { post, comment }: Writing,
  handles: readonly string[],
): Entity[] {
  const { personId } = comment ?? post;
  const named = handles.flatMap((handle) => {
    const person = known.get(handle);
    return person ? [person] : [];
  });
  const others = (addressed.get(post.id) ?? []).flatMap((id) => {
    const person = people.get(id);
    return person && id !== personId ? [person] : [];
  });
  const all = new Map([...named, ...others].map((it) => [it.id, it]));
  return [...all.values()].map((person) => presentMention(site, person));
}

function cardOf(around: StatusContext, post: Post): Entity | null {
  const event = around.events.get(post.eventId ?? 0);
  if (event) return presentEventCard(around.site, event);
  const preview = around.previews.get(post.id);
  return preview ? presentCard(preview) : null;
}

/** The quoted post is shown if its author permits it. */
function presentQuoteOf(around: StatusContext, post: Post): Entity | null {
  const quote = around.quotes.get(post.id);
  if (!quote) return null;
  const { state } = quote;
  const quoted = { post: quote.post, comment: null };
  return {
    state,
    quoted_status:
      state === "accepted"
        ? (presentPlain(around, quoted, true) ?? null)
        : null,
  };
}

/** Authors may quote themselves. */
function presentApproval(
  { post, comment }: Writing,
  { own }: Reception,
): Entity {
  const isOpen = post.quotableBy === "everyone";
  const isOwn = comment === null && own?.pinned !== undefined;
  if (comment !== null || !post.public || post.quotableBy === "nobody") {
    const mayQuote = isOwn ? "automatic" : "denied";
    return { automatic: [], manual: [], current_user: mayQuote };
  }
  const mayQuote = isOpen || isOwn || own?.follows === true;
  return {
    automatic: [isOpen ? "public" : "followers"],
    manual: [],
    current_user: mayQuote ? "automatic" : own ? "denied" : "unknown",
  };
}
