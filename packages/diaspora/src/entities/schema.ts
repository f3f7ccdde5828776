import type { Entity, EntityType } from "./entity-types.ts";
import {
  date,
  flag,
  guid,
  handle,
  imageUrl,
  LONG,
  personName,
  property,
  REQUIRED,
  text,
  timestamp,
} from "./property.ts";
import type { Property, PropertyValue } from "./property.ts";

const author = handle("author", REQUIRED);
const ownGuid = guid("guid", REQUIRED);
const parentGuid = guid("parentGuid", REQUIRED);
const createdAt = timestamp("createdAt");
const editedAt = timestamp("editedAt");
const activitypubId = property(
  "activitypubId",
  { is: "url" },
  { maxLength: 2048, extension: true },
);
const location = property("location", { is: "entity", of: "location" });

type KeyOf<E> = Exclude<Extract<keyof E, string>, "type" | "signed">;
type Schemas = {
  readonly [E in Entity as E["type"]]: readonly Property<KeyOf<E>>[];
};

/**
 * The properties of every entity, in the order in which they are written and, for relayables, signed. The order is the
 * reference's, followed by extensions.
 * @see diaspora* federation protocol, Entities
 */
export const SCHEMAS: Schemas = {
  status_message: [
    author,
    ownGuid,
    createdAt,
    flag("public", false),
    text("providerDisplayName"),
    text("text", LONG, { elementRequired: true }),
    editedAt,
    property("photos", { is: "entities", of: "photo" }),
    location,
    property("poll", { is: "entity", of: "poll" }),
    property("event", { is: "entity", of: "event" }),
    property("embed", { is: "entity", of: "embed" }),
    activitypubId,
  ],
  photo: [
    ownGuid,
    author,
    flag("public", false),
    createdAt,
    editedAt,
    property("remotePhotoPath", { is: "url_or_path" }, REQUIRED),
    text("remotePhotoName", undefined, REQUIRED),
    text("text", LONG),
    guid("statusMessageGuid"),
    property("height", { is: "integer" }),
    property("width", { is: "integer" }),
  ],
  location: [
    text("address", undefined, { elementRequired: true }),
    text("lat", undefined, REQUIRED),
    text("lng", undefined, REQUIRED),
  ],
  poll: [
    ownGuid,
    text("question", 255, REQUIRED),
    property("pollAnswers", { is: "entities", of: "poll_answer" }),
  ],
  poll_answer: [ownGuid, text("answer", 255, REQUIRED)],
  event: [
    author,
    ownGuid,
    editedAt,
    text("summary", 255, REQUIRED),
    text("description", LONG),
    timestamp("start", REQUIRED),
    timestamp("end"),
    flag("allDay", false),
    text("timezone"),
    location,
  ],
  embed: [
    property("url", { is: "url" }),
    text("title", 255),
    text("description", LONG),
    property("image", { is: "url" }),
    property("nothing", { is: "boolean" }),
  ],
  reshare: [author, ownGuid, createdAt, handle("rootAuthor"), guid("rootGuid")],
  comment: [
    author,
    ownGuid,
    parentGuid,
    text("text", LONG, REQUIRED),
    createdAt,
    editedAt,
    guid("threadParentGuid", { extension: true }),
    activitypubId,
  ],
  like: [
    author,
    ownGuid,
    parentGuid,
    property(
      "parentType",
      { is: "choice", among: ["Post", "Comment"] },
      REQUIRED,
    ),
    property("positive", { is: "boolean" }, REQUIRED),
  ],
  poll_participation: [
    author,
    ownGuid,
    parentGuid,
    guid("pollAnswerGuid", REQUIRED),
  ],
  event_participation: [
    author,
    ownGuid,
    parentGuid,
    property(
      "status",
      { is: "choice", among: ["accepted", "declined", "tentative"] },
      REQUIRED,
    ),
    editedAt,
  ],
  contact: [
    author,
    handle("recipient", REQUIRED),
    flag("following", true),
    flag("sharing", true),
    flag("blocking", false),
  ],
  profile: [
    author,
    editedAt,
    personName("fullName", 70),
    personName("firstName", 32),
    personName("lastName", 32),
    imageUrl("imageUrl"),
    imageUrl("imageUrlMedium"),
    imageUrl("imageUrlSmall"),
    text("bio", LONG),
    date("birthday"),
    text("gender", 255),
    text("location", 255),
    flag("searchable", true),
    flag("public", false),
    flag("nsfw", false),
    text("tagString"),
    activitypubId,
  ],
  retraction: [
    author,
    guid("targetGuid", REQUIRED),
    text("targetType", 255, REQUIRED),
  ],
  account_deletion: [author],
  account_migration: [
    author,
    property("profile", { is: "entity", of: "profile" }, REQUIRED),
    text("signature", undefined, REQUIRED),
    handle("oldIdentity"),
    property("remotePhotoPath", { is: "url_or_path" }),
  ],
  participation: [
    author,
    ownGuid,
    parentGuid,
    property("parentType", { is: "choice", among: ["Post"] }, REQUIRED),
  ],
  conversation: [
    author,
    ownGuid,
    text("subject", 255, REQUIRED),
    createdAt,
    property("participants", { is: "handles" }, REQUIRED),
    property("messages", { is: "entities", of: "message" }),
  ],
  message: [
    author,
    ownGuid,
    text("text", LONG, REQUIRED),
    createdAt,
    editedAt,
    guid("conversationGuid", REQUIRED),
  ],
};

/** Whether `name` is the name of a known entity. */
export function isEntityType(name: string): name is EntityType {
  return Object.hasOwn(SCHEMAS, name);
}

/** An entity accessed by property name; `SCHEMAS` describes the values. */
export type Fields = Record<string, PropertyValue | undefined>;

/** Accesses an entity by property name, for code driven by its schema. */
export function fieldsOf(entity: Entity): Fields {
  return entity as unknown as Fields;
}
