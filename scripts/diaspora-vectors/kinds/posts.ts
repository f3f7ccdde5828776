import type {
  CalendarEvent,
  Photo,
  Reshare,
  StatusMessage,
} from "@kith/diaspora";
import { sql } from "kysely";
import { EVENT_LIMITS } from "../../../packages/server/src/features/events/index.ts";
import { storableText } from "../../../packages/server/src/lib/well-formed.ts";
import { serverOf } from "../network.ts";
import { differs } from "./pure.ts";
import { compare, find, timeOf, type Accepted, type Row } from "../rows.ts";

// Compares the stored form of posts and their parts, which differs from the sent one.

/** A status_message with its photos, poll and event (protocol sections 10.1 to 10.5). */
export async function checkPost(
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

/** A bare path is on the author's server. */
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

/** Of an all-day event only the dates count; an end before the start is dropped. */
function timesOf({ allDay, start, end }: CalendarEvent): Row {
  if (allDay) return {};
  const last = end !== undefined && end >= start ? end : undefined;
  return {
    start_at: new Date(start).toISOString(),
    end_at: last === undefined ? null : new Date(last).toISOString(),
  };
}

/** Protocol section 10.7. */
export async function checkReshare(
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
    // A reshare of a reshare refers to the first post.
    ...(row?.["first_guid"] == null
      ? { root_author: entity.rootAuthor, root_guid: entity.rootGuid }
      : { root_guid: row["first_guid"] }),
    public: true,
    ...timeOf(accepted, entity.createdAt),
  });
}

/** A separate photo (protocol section 10.2). */
export async function checkPhoto(
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
