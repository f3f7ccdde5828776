import type {
  AccessToken,
  IssuedToken,
} from "../../features/accounts/index.ts";
import type { Aspect, Membership } from "../../features/aspects/index.ts";
import type { CustomEmoji } from "../../features/custom-emojis.ts";
import type { Comment } from "../../features/comments/index.ts";
import type { Like } from "../../features/likes/index.ts";
import type { LinkPreview } from "../../features/link-previews/index.ts";
import type { Participation } from "../../features/participations/index.ts";
import type { Photo, Photos } from "../../features/photos/index.ts";
import {
  detailsFor,
  fieldsFor,
  type Nearness,
  type Person,
} from "../../features/people/index.ts";
import type { Post, PostLocation } from "../../features/posts/index.ts";
import type { PollResult } from "../../features/polls/index.ts";
import type { ShownQuote } from "../../features/quotes/index.ts";
import type {
  ListedReaction,
  ReactionCount,
} from "../../features/reactions/index.ts";
import type { FollowedTag, UserStream } from "../../features/streams/index.ts";
import type { TextVersion } from "../../features/texts/index.ts";

/** An object as the API sends it, with the contract's names. */
export type WireRecord = Readonly<Record<string, unknown>>;

/**
 * @param viewer the relation of the viewer, which decides the visible details
 */
export function presentProfile(
  person: Person,
  viewer: Nearness = "stranger",
): WireRecord {
  const { profile } = person;
  const details = detailsFor(profile, viewer);
  const fields = fieldsFor(profile, viewer);
  return {
    ID: profile.id,
    CreatedAt: profile.createdAt,
    UpdatedAt: profile.updatedAt,
    Author: person.handle,
    FirstName: profile.firstName,
    LastName: profile.lastName,
    FullName: profile.fullName,
    ImageUrl: profile.imageUrl,
    ImageUrlSmall: profile.imageUrlSmall,
    ImageUrlMedium: profile.imageUrlMedium,
    Birthday: details.birthday,
    Gender: details.gender,
    Bio: details.bio,
    Location: details.location,
    Searchable: profile.searchable,
    Public: profile.public,
    Nsfw: profile.nsfw,
    ...(fields.length > 0 && {
      Fields: fields.map(({ name, value }) => ({
        Name: name,
        Value: value,
      })),
    }),
    ...(profile.headerUrl !== "" && { HeaderUrl: profile.headerUrl }),
    ...(profile.locked && { Locked: true }),
    ...(profile.indexable && { Indexable: true }),
    ...(profile.kind === "bot" && { Bot: true }),
    ...presentEmojis(profile.emojis),
    PersonID: person.id,
  };
}

/** No field if there are none. */
function presentEmojis(emojis: readonly CustomEmoji[]): WireRecord {
  if (emojis.length === 0) return {};
  return {
    Emojis: emojis.map(({ shortcode, url }) => ({
      Shortcode: shortcode,
      Url: url,
    })),
  };
}

/**
 * Optional fields beside a text. They are left out when empty, so that clients
 * find exactly the specified ones.
 */
export function presentBesideText(
  { warning, language, emojis }: Pick<Post, "warning" | "language" | "emojis">,
  author: Person | undefined,
): WireRecord {
  return {
    ...(warning !== null && { ContentWarning: warning }),
    ...(language !== null && { Language: language }),
    ...presentEmojis(author?.isPictured ? emojis : []),
  };
}

/** A profile for its owner, with the audience of each detail. */
export function presentOwnProfile(person: Person): WireRecord {
  const { bio, birthday, gender, location } = person.profile.shownTo;
  return {
    ...presentProfile(person, "self"),
    BioFor: bio,
    BirthdayFor: birthday,
    GenderFor: gender,
    LocationFor: location,
  };
}

export function presentPerson(person: Person, viewer?: Nearness): WireRecord {
  return {
    ID: person.id,
    CreatedAt: person.createdAt,
    UpdatedAt: person.updatedAt,
    Guid: person.guid,
    Author: person.handle,
    SerializedPublicKey: person.publicKeyPem,
    UserID: person.userId,
    Profile: presentProfile(person, viewer),
  };
}

export function presentComment(
  comment: Comment,
  person: Person | undefined,
  likesCount: number,
): WireRecord {
  return {
    ID: comment.id,
    CreatedAt: comment.createdAt,
    UpdatedAt: comment.updatedAt,
    Guid: comment.guid,
    Text: comment.text,
    ...presentBesideText(comment, person),
    ShareableID: comment.postId,
    ShareableType: "Post",
    PersonID: comment.personId,
    ParentGuid: comment.parentGuid,
    LikesCount: likesCount,
    Person: person ? presentPerson(person) : null,
  };
}

export function presentVersion(version: TextVersion): WireRecord {
  const { id, text, warning, photos, writtenAt } = version;
  return {
    ID: id,
    Text: text,
    ...(warning !== null && { ContentWarning: warning }),
    ...(photos.length > 0 && {
      Photos: photos.map((photo) => ({ Guid: photo.guid, Text: photo.text })),
    }),
    WrittenAt: writtenAt,
  };
}

/** The pictures of a comment or a message, if it has any. */
export function presentPhotos(
  photos: readonly Photo[] | undefined,
  urlOf: Photos["urlOf"],
): WireRecord {
  if (!photos) return {};
  return { Photos: photos.map((photo) => presentPhoto(photo, urlOf)) };
}

export function presentPhoto(photo: Photo, urlOf: Photos["urlOf"]): WireRecord {
  return {
    ID: photo.id,
    CreatedAt: photo.createdAt,
    UpdatedAt: photo.updatedAt,
    Guid: photo.guid,
    Url: urlOf(photo),
    ThumbnailUrl: urlOf(photo, "thumb_large"),
    Text: photo.text,
    Height: photo.height,
    Width: photo.width,
    Blurhash: photo.blurhash,
    ...(photo.playback && {
      MediaType: photo.mediaType,
      Duration: photo.playback.durationMs / 1000,
    }),
    ...(photo.focus && { Focus: { X: photo.focus[0], Y: photo.focus[1] } }),
    PostID: photo.postId,
    ...(photo.commentId !== null && { CommentID: photo.commentId }),
    PersonID: photo.personId,
  };
}

/** Numbers, since clients compute with degrees. */
export function presentLocation({
  address,
  lat,
  lng,
}: PostLocation): WireRecord {
  return { Address: address, Lat: Number(lat), Lng: Number(lng) };
}

export function presentLike(like: Like): WireRecord {
  const shareableId = like.commentId ?? like.postId;
  const shareableType = like.commentId === null ? "Post" : "Comment";
  return {
    ID: like.id,
    CreatedAt: like.createdAt,
    UpdatedAt: like.updatedAt,
    Guid: like.guid,
    Positive: like.positive,
    ShareableID: shareableId,
    ShareableType: shareableType,
    PersonID: like.personId,
    TargetID: shareableId,
    TargetType: shareableType,
  };
}

export function presentAspect(aspect: Aspect): WireRecord {
  return {
    ID: aspect.id,
    CreatedAt: aspect.createdAt,
    UpdatedAt: aspect.updatedAt,
    Name: aspect.name,
    UserID: aspect.userId,
    Default: aspect.isDefault,
    ...(aspect.exclusive && { Exclusive: true }),
    Memberships: aspect.memberships.map(presentMembership),
  };
}

export function presentMembership(membership: Membership): WireRecord {
  return {
    ID: membership.id,
    CreatedAt: membership.createdAt,
    UpdatedAt: membership.updatedAt,
    AspectID: membership.aspectId,
    PersonID: membership.personId,
  };
}

/** No field without reactions. */
export function presentReactions(
  counts: readonly ReactionCount[] | undefined,
): WireRecord {
  if (!counts || counts.length === 0) return {};
  return {
    Reactions: counts.map(({ emoji, emojiUrl, count }) => ({
      Emoji: emoji,
      ...(emojiUrl !== null && { Url: emojiUrl }),
      Count: count,
    })),
  };
}

export function presentReaction(
  { id, emoji, emojiUrl, personId, createdAt }: ListedReaction,
  person: Person | undefined,
): WireRecord {
  return {
    ID: id,
    CreatedAt: createdAt,
    Emoji: emoji,
    ...(emojiUrl !== null && { Url: emojiUrl }),
    PersonID: personId,
    Person: person ? presentPerson(person) : null,
  };
}

export function presentParticipation(
  participation: Participation,
  person: Person | undefined,
): WireRecord {
  return {
    ID: participation.id,
    PersonID: participation.personId,
    CalendarEventID: participation.eventId,
    Status: participation.status,
    ...presentReply(participation),
    Person: person ? presentPerson(person) : null,
  };
}

/** Omitted where the host confirms nobody, or does not reply. */
function presentReply({ reply }: Participation): WireRecord {
  return reply === null || reply === "ignored" ? {} : { Reply: reply };
}

export function presentPoll(result: PollResult): WireRecord {
  const { poll, votes, voters, ownVotes } = result;
  return {
    Guid: poll.guid,
    Question: poll.question,
    Answers: poll.answers.map(({ id, guid, text }) => ({
      Guid: guid,
      Text: text,
      // Hidden until the end.
      Votes: votes && (votes.get(id) ?? 0),
    })),
    Multiple: poll.multiple,
    VotersCount: voters,
    EndsAt: poll.endsAt,
    OwnVotes: ownVotes,
  };
}

/**
 * The text of a quote is included if its author permits quotes; otherwise only
 * its address.
 */
export function presentQuote(
  { state, post }: ShownQuote,
  {
    person,
    url,
  }: { readonly person: Person | undefined; readonly url: string },
): WireRecord {
  const place = { State: state, ID: post.id, Guid: post.guid, Url: url };
  if (state !== "accepted") return place;
  return {
    ...place,
    CreatedAt: post.createdAt,
    Text: post.text,
    ...(post.nsfw && { Nsfw: true }),
    ...(post.warning !== null && { ContentWarning: post.warning }),
    PersonID: post.personId,
    Person: person ? presentPerson(person) : null,
  };
}

export function presentLinkPreview(preview: LinkPreview): WireRecord {
  return {
    Url: preview.url,
    Title: preview.title,
    Description: preview.description,
    SiteName: preview.siteName,
    AuthorName: preview.authorName,
    ImageUrl: preview.imageUrl,
  };
}

export function presentUserStream(stream: UserStream): WireRecord {
  return {
    ID: stream.id,
    CreatedAt: stream.createdAt,
    UpdatedAt: stream.updatedAt,
    UserID: stream.userId,
    Name: stream.name,
    Tags: stream.tags,
    People: stream.people,
    Expression: stream.expression,
  };
}

export function presentFollowedTag(followed: FollowedTag): WireRecord {
  return {
    ID: followed.id,
    Name: followed.tag,
    CreatedAt: followed.createdAt,
  };
}

export function presentToken(token: AccessToken): WireRecord {
  return {
    ID: token.id,
    ClientID: token.clientId,
    CreatedAt: token.createdAt,
    LastUsedAt: token.lastUsedAt,
  };
}

export function presentIssuedToken(token: IssuedToken): WireRecord {
  return {
    ID: token.id,
    token: token.token,
    CreatedAt: token.createdAt,
    ClientID: token.clientId,
  };
}
