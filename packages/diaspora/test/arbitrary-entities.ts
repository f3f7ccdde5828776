import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { Entity, EntityType, Profile } from "../src/index.ts";
import {
  embed,
  event,
  location,
  photo,
  poll,
  pollAnswer,
  statusMessage,
} from "./arbitrary-posts.ts";
import {
  date,
  entity,
  guid,
  handle,
  name,
  path,
  text,
  timestamp,
  url,
} from "./arbitrary-values.ts";

const profile = entity(
  "profile",
  {
    author: handle,
    searchable: fc.boolean(),
    public: fc.boolean(),
    nsfw: fc.boolean(),
  },
  {
    editedAt: timestamp,
    fullName: name(70),
    firstName: name(32),
    lastName: name(32),
    imageUrl: fc.oneof(
      url.filter((one) => one.length <= 255),
      path,
    ),
    imageUrlMedium: path,
    imageUrlSmall: path,
    bio: text(500),
    birthday: date,
    gender: text(255),
    location: text(255),
    tagString: fc.constantFrom("#one", "#i #love #tags", "#1 #2 #3 #4 #5"),
    activitypubId: url,
  },
);

const conversation = fc
  .tuple(handle, handle, guid)
  .chain(([author, other, own]) => {
    const message = entity(
      "message",
      {
        author: fc.constant(author),
        guid,
        text: text(300),
        conversationGuid: fc.constant(own),
      },
      { createdAt: timestamp, editedAt: timestamp },
    );
    return entity(
      "conversation",
      {
        author: fc.constant(author),
        guid: fc.constant(own),
        subject: text(255),
        participants: fc.constant(`${author};x${other};y${other}`),
        messages: fc.array(message, { maxLength: 2 }),
      },
      { createdAt: timestamp },
    );
  });

const signature = fc.base64String({ minLength: 4 });
const relayable = { author: handle, guid, parentGuid: guid };

/** An arbitrary valid value of every entity, relayables without `signed`. */
export const arbitraryEntities: Readonly<
  Record<EntityType, Arbitrary<Entity>>
> = {
  status_message: statusMessage,
  photo: photo(handle, guid),
  location,
  poll,
  poll_answer: pollAnswer,
  event: event(handle),
  embed,
  reshare: fc.oneof(
    entity("reshare", { author: handle, guid }, { createdAt: timestamp }),
    entity("reshare", {
      author: handle,
      guid,
      rootAuthor: handle,
      rootGuid: guid,
    }),
  ),
  comment: entity(
    "comment",
    { ...relayable, text: text(500) },
    {
      createdAt: timestamp,
      editedAt: timestamp,
      threadParentGuid: guid,
      activitypubId: url,
    },
  ),
  like: entity("like", {
    ...relayable,
    parentType: fc.constantFrom("Post", "Comment"),
    positive: fc.boolean(),
  }),
  poll_participation: entity("poll_participation", {
    ...relayable,
    pollAnswerGuid: guid,
  }),
  event_participation: entity(
    "event_participation",
    {
      ...relayable,
      status: fc.constantFrom("accepted", "declined", "tentative"),
    },
    { editedAt: timestamp },
  ),
  contact: fc.oneof(
    entity("contact", {
      author: handle,
      recipient: handle,
      following: fc.boolean(),
      sharing: fc.boolean(),
      blocking: fc.constant(false),
    }),
    entity("contact", {
      author: handle,
      recipient: handle,
      following: fc.constant(false),
      sharing: fc.constant(false),
      blocking: fc.constant(true),
    }),
  ),
  profile,
  retraction: entity("retraction", {
    author: handle,
    targetGuid: guid,
    targetType: fc.constantFrom(
      "Post",
      "Photo",
      "Comment",
      "Like",
      "PollParticipation",
      "Reshare",
      "Person",
    ),
  }),
  account_deletion: entity("account_deletion", { author: handle }),
  account_migration: fc.oneof(
    entity(
      "account_migration",
      { author: handle.map((one) => `old-${one}`), profile, signature },
      { oldIdentity: handle, remotePhotoPath: url },
    ),
    // The new identity sends it, so the old one must be named.
    fc
      .record({ profile, oldIdentity: handle.map((one) => `old-${one}`) })
      .chain((who) =>
        entity(
          "account_migration",
          {
            author: fc.constant((who.profile as Profile).author),
            profile: fc.constant(who.profile),
            oldIdentity: fc.constant(who.oldIdentity),
            signature,
          },
          { remotePhotoPath: url },
        ),
      ),
  ),
  participation: entity("participation", {
    ...relayable,
    parentType: fc.constant("Post"),
  }),
  conversation,
  message: entity(
    "message",
    { author: handle, guid, text: text(500), conversationGuid: guid },
    { createdAt: timestamp, editedAt: timestamp },
  ),
};
