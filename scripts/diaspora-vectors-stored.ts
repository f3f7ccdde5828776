import {
  parseEntity,
  type AccountDeletion,
  type CalendarEvent,
  type Comment,
  type Contact,
  type Entity,
  type EventParticipation,
  type Like,
  type Participation,
  type Photo,
  type PollParticipation,
  type Profile,
  type Reshare,
  type Retraction,
  type StatusMessage,
} from "@kith/diaspora";
import { sql } from "kysely";
import { EVENT_LIMITS } from "../packages/server/src/features/events/index.ts";
import { storableText } from "../packages/server/src/lib/well-formed.ts";
import { differs } from "./diaspora-vectors-pure.ts";
import type { Home } from "./diaspora-vectors-home.ts";
import { serverOf } from "./diaspora-vectors-network.ts";

type Row = Readonly<Record<string, unknown>>;

/** A message that was accepted, and what came of it. */
export type Accepted = {
  readonly home: Home;
  readonly entity: Entity;
  /** Handle of who signed the envelope. */
  readonly sender: string;
  /** Handle of the person whose endpoint it came to; for private ones. */
  readonly owner: string | undefined;
  /** What the server noted of the message. */
  readonly outcome: string;
};

/**
 * Is it of the kind that this server takes and does not keep? It says so itself,
 * by an outcome that begins with `ignored`; of everything else that is a fault.
 */
export function isUnkept({ entity, outcome }: Accepted): boolean {
  if (!outcome.startsWith("ignored")) return false;
  switch (entity.type) {
    case "conversation":
    case "message":
    case "photo":
    case "account_migration":
    case "participation":
      return true;
    case "reshare":
      return entity.rootGuid === undefined;
    case "retraction":
      return !["Post", "Comment", "Like"].includes(entity.targetType);
    default:
      return false;
  }
}

/** Parses the payload of a vector, which is known to be right. */
export function readAccepted(payloadXml: string): Entity {
  return parseEntity(payloadXml);
}

/** What is not stored as the entity says; undefined where nothing is missing. */
export async function checkStored(
  accepted: Accepted,
): Promise<string | undefined> {
  const { entity } = accepted;
  switch (entity.type) {
    case "status_message":
      return checkPost(accepted, entity);
    case "reshare":
      return checkReshare(accepted, entity);
    case "comment":
      return checkComment(accepted, entity);
    case "like":
      return checkLike(accepted, entity);
    case "poll_participation":
      return checkVote(accepted, entity);
    case "event_participation":
      return checkAnswer(accepted, entity);
    case "retraction":
      return checkRetraction(accepted, entity);
    case "profile":
      return checkProfile(accepted, entity);
    case "contact":
      return checkContact(accepted, entity);
    case "participation":
      return checkSubscription(accepted, entity);
    case "account_deletion":
      return checkDeletion(accepted, entity);
    case "photo":
      return checkPhoto(accepted, entity);
    default:
      // What the server makes of a migration is told by its outcome alone.
      return entity.type === "account_migration"
        ? undefined
        : `nothing is known of how a ${entity.type} is stored`;
  }
}

async function find(
  { home }: Accepted,
  query: ReturnType<typeof sql<Row>>,
): Promise<Row | undefined> {
  const { rows } = await query.execute(home.db.read);
  return rows[0];
}

/** Compares what is stored with what is to be; numbers are booleans in one of the databases. */
function compare(
  what: string,
  row: Row | undefined,
  expected: Row,
): string | undefined {
  if (!row) return `no ${what} is stored`;
  for (const [name, value] of Object.entries(expected)) {
    const found = typeof value === "boolean" ? Boolean(row[name]) : row[name];
    const difference = differs(`${what}, ${name}`, value, [found]);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The time as it is stored, of one that was readable and is over: nothing is later than its receipt. */
function timeOf({ home }: Accepted, text: string | undefined): Row {
  const time = text === undefined ? NaN : Date.parse(text);
  if (Number.isNaN(time) || time > home.clock.now().getTime()) return {};
  return { created_at: new Date(Math.max(time, 0)).toISOString() };
}

async function checkPost(
  accepted: Accepted,
  entity: StatusMessage,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select posts.*, people.handle as author from posts
      join people on people.id = posts.person_id where posts.guid = ${entity.guid}`,
  );
  return (
    compare("post", row, {
      author: entity.author,
      public: entity.public,
      type: "StatusMessage",
      text: storableText(entity.text ?? ""),
      provider_name: storableText(entity.providerDisplayName ?? ""),
      ...timeOf(accepted, entity.createdAt),
    }) ??
    (await checkReader(accepted, entity)) ??
    (await checkPhotos(accepted, entity)) ??
    (await checkPoll(accepted, entity)) ??
    (await checkEvent(accepted, entity))
  );
}

async function checkReader(
  accepted: Accepted,
  { guid, public: isPublic }: StatusMessage,
): Promise<string | undefined> {
  if (isPublic) return undefined;
  const row = await find(
    accepted,
    sql<Row>`select people.handle as reader from post_recipients
      join posts on posts.id = post_recipients.post_id
      join people on people.id = post_recipients.person_id
      where posts.guid = ${guid}`,
  );
  return compare("recipient", row, { reader: accepted.owner });
}

async function checkPhotos(
  { home }: Accepted,
  { guid, photos }: StatusMessage,
): Promise<string | undefined> {
  const { rows } = await sql<Row>`select photos.* from photos
    join posts on posts.id = photos.post_id where posts.guid = ${guid}
    order by photos.position, photos.id`.execute(home.db.read);
  const pictureOf = (photo: Photo) => [
    photo.guid,
    pictureUrl(photo),
    photo.text ?? "",
    photo.width ?? 0,
    photo.height ?? 0,
  ];
  return differs("photos", photos.map(pictureOf), [
    rows.map(({ guid, remote_url, text, width, height }) => [
      guid,
      remote_url,
      text,
      width,
      height,
    ]),
  ]);
}

/** A path alone is one on the author's server. */
function pictureUrl(photo: Photo): string {
  const { author: handle, remotePhotoPath, remotePhotoName } = photo;
  const folder = new URL(remotePhotoPath, serverOf({ handle }));
  return folder.href + remotePhotoName;
}

async function checkPoll(
  { home }: Accepted,
  { guid, poll }: StatusMessage,
): Promise<string | undefined> {
  const { rows } =
    await sql<Row>`select polls.guid, polls.question, poll_answers.guid as answer, poll_answers.text
    from polls join posts on posts.id = polls.post_id
    join poll_answers on poll_answers.poll_id = polls.id
    where posts.guid = ${guid} order by poll_answers.id`.execute(home.db.read);
  const line = (text: string) => storableText(text).replace(/\s+/g, " ").trim();
  const expected = (poll?.pollAnswers ?? []).map((one) => ({
    guid: poll?.guid,
    question: line(poll?.question ?? ""),
    answer: one.guid,
    text: line(one.answer),
  }));
  return differs("poll", expected, [rows.map((row) => ({ ...row }))]);
}

async function checkEvent(
  accepted: Accepted,
  { guid, event }: StatusMessage,
): Promise<string | undefined> {
  if (!event) return undefined;
  const row = await find(
    accepted,
    sql<Row>`select events.*, people.handle as author from posts
      join events on events.id = posts.event_id
      join people on people.id = events.person_id where posts.guid = ${guid}`,
  );
  const address = event.location?.address ?? "";
  return compare("event", row, {
    guid: event.guid,
    author: event.author,
    summary: storableText(event.summary),
    description: storableText(event.description ?? ""),
    all_day: event.allDay,
    ...timesOf(event),
    ...([...address].length <= EVENT_LIMITS.location && {
      location: storableText(address),
    }),
  });
}

/** Of an event that lasts all day the days count alone; an end before the start is none. */
function timesOf({ allDay, start, end }: CalendarEvent): Row {
  if (allDay) return {};
  const last = end !== undefined && end >= start ? end : undefined;
  return {
    start_at: new Date(start).toISOString(),
    end_at: last === undefined ? null : new Date(last).toISOString(),
  };
}

async function checkReshare(
  accepted: Accepted,
  entity: Reshare,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select posts.*, people.handle as author, roots.handle as root_author,
      (select given.root_guid from posts as given
        where given.guid = ${entity.rootGuid}) as first_guid
      from posts join people on people.id = posts.person_id
      join people as roots on roots.id = posts.root_person_id
      where posts.guid = ${entity.guid}`,
  );
  return compare("reshare", row, {
    type: "Reshare",
    author: entity.author,
    // Of a reshare of a reshare, the first post counts.
    ...(row?.["first_guid"] == null
      ? { root_author: entity.rootAuthor, root_guid: entity.rootGuid }
      : { root_guid: row["first_guid"] }),
    public: true,
    ...timeOf(accepted, entity.createdAt),
  });
}

async function checkComment(
  accepted: Accepted,
  entity: Comment,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select comments.*, people.handle as author, posts.guid as parent
      from comments join people on people.id = comments.person_id
      join posts on posts.id = comments.post_id
      where comments.guid = ${entity.guid}`,
  );
  return compare("comment", row, {
    author: entity.author,
    parent: entity.parentGuid,
    text: storableText(entity.text),
    ...timeOf(accepted, entity.createdAt),
  });
}

async function checkLike(
  accepted: Accepted,
  entity: Like,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select likes.*, people.handle as author,
      coalesce(comments.guid, posts.guid) as parent
      from likes join people on people.id = likes.person_id
      join posts on posts.id = likes.post_id
      left join comments on comments.id = likes.comment_id
      where likes.guid = ${entity.guid}`,
  );
  return compare("like", row, {
    author: entity.author,
    parent: entity.parentGuid,
    shareable_type: entity.parentType,
    positive: entity.positive,
  });
}

async function checkVote(
  accepted: Accepted,
  entity: PollParticipation,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select people.handle as author, polls.guid as parent, poll_answers.guid as answer
      from poll_votes join people on people.id = poll_votes.person_id
      join polls on polls.id = poll_votes.poll_id
      join poll_answers on poll_answers.id = poll_votes.answer_id
      where poll_votes.guid = ${entity.guid}`,
  );
  return compare("vote", row, {
    author: entity.author,
    parent: entity.parentGuid,
    answer: entity.pollAnswerGuid,
  });
}

async function checkAnswer(
  accepted: Accepted,
  entity: EventParticipation,
): Promise<string | undefined> {
  // Whoever answers again keeps the first Guid, so the person and the event find it.
  const row = await find(
    accepted,
    sql<Row>`select participations.status from participations
      join people on people.id = participations.person_id
      join events on events.id = participations.event_id
      left join posts on posts.event_id = events.id
      where people.handle = ${entity.author}
        and (events.guid = ${entity.parentGuid} or posts.guid = ${entity.parentGuid})`,
  );
  return compare("answer", row, { status: entity.status });
}

const RETRACTED: Readonly<Record<string, string>> = {
  Post: "posts",
  StatusMessage: "posts",
  Reshare: "posts",
  Comment: "comments",
  Like: "likes",
  Photo: "photos",
  PollParticipation: "poll_votes",
  EventParticipation: "participations",
};

async function checkRetraction(
  accepted: Accepted,
  { targetGuid, targetType }: Retraction,
): Promise<string | undefined> {
  // The old way to stop sharing takes back nobody.
  if (targetType === "Person") return undefined;
  const table = RETRACTED[targetType];
  if (table === undefined)
    return `nothing is known of how a ${targetType} is retracted`;
  const row = await find(
    accepted,
    sql<Row>`select guid from ${sql.table(table)} where guid = ${targetGuid}`,
  );
  return row && `the ${targetType} is still there`;
}

async function checkProfile(
  accepted: Accepted,
  entity: Profile,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select profiles.* from profiles
      join people on people.id = profiles.person_id
      where people.handle = ${entity.author}`,
  );
  const url = entity.imageUrl ?? "";
  const isWhole = accepted.owner !== undefined || entity.public;
  return compare("profile", row, {
    first_name: storableText(entity.firstName ?? "").trim(),
    last_name: storableText(entity.lastName ?? "").trim(),
    image_url: /^https?:\/\//i.test(url) ? storableText(url) : "",
    searchable: entity.searchable,
    public: entity.public,
    nsfw: entity.nsfw,
    ...(isWhole && {
      bio: storableText(entity.bio ?? ""),
      birthday: entity.birthday ?? null,
      gender: storableText(entity.gender ?? ""),
      location: storableText(entity.location ?? ""),
    }),
  });
}

async function checkContact(
  accepted: Accepted,
  { author, recipient, sharing, blocking }: Contact,
): Promise<string | undefined> {
  const contact = await find(
    accepted,
    sql<Row>`select contacts.sharing from contacts
      join people on people.id = contacts.person_id
      join people as owners on owners.user_id = contacts.user_id
      where people.handle = ${author} and owners.handle = ${recipient}`,
  );
  const block = await find(
    accepted,
    sql<Row>`select 1 from blocks
      join people on people.id = blocks.person_id
      join people as blocked on blocked.id = blocks.blocked_person_id
      where people.handle = ${author} and blocked.handle = ${recipient}`,
  );
  return (
    differs("contact, sharing", sharing, [Boolean(contact?.["sharing"])]) ??
    differs("contact, blocking", blocking, [block !== undefined])
  );
}

async function checkSubscription(
  accepted: Accepted,
  { author, parentGuid }: Participation,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select people.handle as subscriber from post_subscribers
      join people on people.id = post_subscribers.person_id
      join posts on posts.id = post_subscribers.post_id
      where posts.guid = ${parentGuid} and people.handle = ${author}`,
  );
  return compare("subscription", row, { subscriber: author });
}

async function checkDeletion(
  accepted: Accepted,
  { author }: AccountDeletion,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select state, (select count(*) from posts
        where posts.person_id = people.id) as posts
      from people where handle = ${author}`,
  );
  return (
    compare("person", row, { state: "closed" }) ??
    differs("posts of the person", 0, [Number(row?.["posts"])])
  );
}

async function checkPhoto(
  accepted: Accepted,
  entity: Photo,
): Promise<string | undefined> {
  const row = await find(
    accepted,
    sql<Row>`select photos.*, people.handle as author from photos
      join people on people.id = photos.person_id
      where photos.guid = ${entity.guid}`,
  );
  return compare("photo", row, {
    author: entity.author,
    remote_url: pictureUrl(entity),
  });
}
