import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { Entity } from "../src/index.ts";
import {
  entity,
  guid,
  handle,
  path,
  text,
  timestamp,
  url,
} from "./arbitrary-values.ts";

export const location = entity(
  "location",
  { lat: text(20), lng: text(20) },
  { address: text(50) },
);
export const pollAnswer = entity("poll_answer", { guid, answer: text(255) });
export const poll = entity("poll", {
  guid,
  question: text(255),
  pollAnswers: fc.array(pollAnswer, { minLength: 2, maxLength: 4 }),
});
export const embed = fc.oneof(
  entity(
    "embed",
    { url },
    {
      title: text(255),
      description: text(300),
      image: url,
      nothing: fc.constant(false),
    },
  ),
  entity("embed", { nothing: fc.constant(true) }, { title: text(255) }),
);

export function event(author: Arbitrary<string>): Arbitrary<Entity> {
  return entity(
    "event",
    {
      author,
      guid,
      summary: text(255),
      start: timestamp,
      allDay: fc.boolean(),
    },
    {
      editedAt: timestamp,
      description: text(300),
      end: timestamp,
      timezone: text(30),
      location,
    },
  );
}

export function photo(
  author: Arbitrary<string>,
  post: Arbitrary<string>,
): Arbitrary<Entity> {
  return entity(
    "photo",
    {
      guid,
      author,
      public: fc.boolean(),
      remotePhotoPath: fc.oneof(url, path),
      remotePhotoName: text(50),
    },
    {
      createdAt: timestamp,
      editedAt: timestamp,
      text: text(300),
      statusMessageGuid: post,
      height: fc.nat(),
      width: fc.nat(),
    },
  );
}

export const statusMessage = fc
  .tuple(handle, guid)
  .chain(([author, postGuid]) => {
    const by = fc.constant(author);
    const photos = (minLength: number) =>
      fc.array(photo(by, fc.constant(postGuid)), { minLength, maxLength: 2 });
    const required = {
      author: by,
      guid: fc.constant(postGuid),
      public: fc.boolean(),
    };
    const optional = {
      createdAt: timestamp,
      providerDisplayName: text(30),
      editedAt: timestamp,
      location,
      poll,
      event: event(by),
      embed,
      activitypubId: url,
    };
    return fc.oneof(
      entity(
        "status_message",
        { ...required, text: text(500), photos: photos(0) },
        optional,
      ),
      entity("status_message", { ...required, photos: photos(1) }, optional),
    );
  });
