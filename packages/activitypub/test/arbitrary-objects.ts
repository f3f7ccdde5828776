import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import type { ActorInput } from "../src/build/build-actor.ts";
import type { EventInput } from "../src/build/build-event.ts";
import type { AttachmentInput, NoteInput } from "../src/build/build-note.ts";
import type { PollInput, VoteInput } from "../src/build/build-question.ts";
import type { Place } from "../src/read/read-place.ts";
import { vectorKey } from "./vectors.ts";

/** Fragile texts: markup, line ends, emoji, JSON syntax, blanks at both ends. */
export const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom("<p>", "\n", " ", '"', "\\u0041", "😀", "null", "{", "ß"),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join("").replaceAll("\0", "").toWellFormed())
  .filter((value) => value !== "");

export const uri = fc
  .tuple(
    fc.constantFrom("https://kith.example", "http://peer.example:8080"),
    fc.stringMatching(/^[a-z0-9/_-]{1,20}$/),
  )
  .map(([origin, path]) => `${origin}/${path}`);
export const uris = fc.uniqueArray(uri, { maxLength: 4 });
export const guid = fc.stringMatching(/^[0-9a-f]{32}$/);
export const count = fc.nat({ max: 2_147_483_647 });
/** A time to the second, as our builders write it and our readers return it. */
export const time = fc
  .date({
    min: new Date("1990-01-01T00:00:00Z"),
    max: new Date("2100-01-01T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((date) => `${date.toISOString().slice(0, 19)}.000Z`);
const language = fc.constantFrom("en", "de", "pt-BR", "zh-Hant");
export const zone = fc.constantFrom(
  "UTC",
  "Europe/Vienna",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Pacific/Apia",
);
const pixels = fc.integer({ min: 1, max: 10_000 });
const point = fc.double({ min: -1, max: 1, noNaN: true }).map((x) => x + 0);

/** A record of required and optional members, without undefined ones. */
export function record<T>(
  required: { [name: string]: Arbitrary<unknown> },
  optional: { [name: string]: Arbitrary<unknown> } = {},
): Arbitrary<T> {
  return fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required), noNullPrototype: true },
  ) as Arbitrary<T>;
}

export const attachment: Arbitrary<AttachmentInput> = record<AttachmentInput>(
  {
    type: fc.constantFrom("Document", "Image", "Video", "Audio"),
    mediaType: fc.constantFrom("application/pdf", "text/plain"),
    url: uri,
  },
  {
    name: text,
    width: pixels,
    height: pixels,
    blurhash: text,
    focalPoint: fc.tuple(point, point),
  },
);

const note = {
  id: uri,
  attributedTo: uri,
  contentHtml: text,
  to: uris,
  cc: uris,
  published: time,
  guid,
};
const noteExtras = {
  source: text,
  language,
  updated: time,
  context: uri,
  tags: fc.array(
    record({
      type: fc.constantFrom("Mention", "Hashtag"),
      name: text,
      href: uri,
    }),
    { maxLength: 3 },
  ),
  sensitive: fc.boolean(),
  quoteAuthorization: uri,
  canQuote: uris,
};

/** The page is on the server of the id, because a page elsewhere is dropped. */
function withPage<T extends { id: string }>(
  input: Arbitrary<T>,
): Arbitrary<T & { url: string }> {
  return fc
    .tuple(input, fc.stringMatching(/^[a-z0-9]{1,9}$/))
    .map(([value, name]) => ({
      ...value,
      url: `${new URL(value.id).origin}/${name}`,
    }));
}

export const noteArbitrary = withPage(
  record<Omit<NoteInput, "url">>(note, {
    ...noteExtras,
    type: fc.constantFrom("Note", "Article", "Page"),
    name: text,
    summary: text,
    inReplyTo: uri,
    attachments: fc.array(attachment, { maxLength: 3 }),
    quote: uri,
  }),
  // No reader treats a note as a reply to itself.
).filter(({ id, inReplyTo }) => id !== inReplyTo);

export const pollArbitrary = record<PollInput>(
  {
    multiple: fc.boolean(),
    options: fc.uniqueArray(record({ name: text, votes: fc.option(count) }), {
      selector: (option) => (option as { name: string }).name,
      minLength: 1,
      maxLength: 5,
    }),
    votersCount: count,
  },
  { endTime: time, closed: time },
);

/** An object that replies to itself is read as the root of its thread, so the ids differ. */
export const voteArbitrary = record<VoteInput>(
  { id: uri, voter: uri, question: uri, option: text, author: uri },
  { published: time },
).filter(({ id, question }) => id !== question);

const degrees = (most: number) =>
  fc
    .oneof(
      fc.integer({ min: -most, max: most }),
      fc.double({ min: -most, max: most, noNaN: true }),
    )
    .map((value) => Math.round(value * 1e6) / 1e6 + 0);

const placeName = { name: text };
const position = { latitude: degrees(90), longitude: degrees(180) };
export const placeArbitrary: Arbitrary<Place> = fc.oneof(
  record<Place>(placeName, { id: uri, address: text }),
  record<Place>(position, { name: text, address: text }),
  record<Place>(
    { ...position, street: text },
    {
      ...placeName,
      postalCode: text,
      locality: text,
      region: text,
      country: text,
    },
  ),
);

export const eventArbitrary = withPage(
  fc
    .tuple(
      record<Omit<EventInput, "url" | "endTime">>(
        {
          ...note,
          name: text,
          summary: text,
          startTime: time,
          joinMode: fc.constantFrom(
            "free",
            "restricted",
            "invite",
            "external",
            "none",
          ),
          isOnline: fc.boolean(),
          status: fc.constantFrom(
            "confirmed",
            "tentative",
            "cancelled",
            "postponed",
            "rescheduled",
            "moved_online",
          ),
        },
        {
          ...noteExtras,
          timezone: zone,
          place: placeArbitrary,
          onlineUrl: uri,
          externalParticipationUrl: uri,
          maximumAttendees: fc.integer({ min: 1, max: 10_000 }),
          remainingAttendees: count,
          participantCount: count,
          categories: fc.uniqueArray(fc.constantFrom("MUSIC", "ARTS"), {
            minLength: 1,
          }),
          commentsEnabled: fc.boolean(),
        },
      ),
      fc.option(fc.nat({ max: 1_000_000 }), { nil: undefined }),
    )
    .map(([event, seconds]) =>
      seconds === undefined
        ? event
        : {
            ...event,
            endTime: new Date(
              Date.parse(event.startTime) + seconds * 1000,
            ).toISOString(),
          },
    ),
);

const pem = vectorKey("kith").publicKeyPem;
const picture = record({ url: uri }, { mediaType: fc.constant("image/png") });

/** All of one origin, because endpoints elsewhere are dropped. */
export const actorArbitrary: Arbitrary<ActorInput> = fc
  .tuple(
    fc.stringMatching(/^[a-z0-9_]{1,12}$/),
    record<object>(
      {
        type: fc.constantFrom(
          "Person",
          "Application",
          "Group",
          "Organization",
          "Service",
        ),
        manuallyApprovesFollowers: fc.boolean(),
        discoverable: fc.boolean(),
        suspended: fc.boolean(),
      },
      {
        name: text,
        summaryHtml: text,
        guid,
        icon: picture,
        image: picture,
        published: time,
        indexable: fc.constant(true),
        acceptsRfc9421: fc.constant(true),
        webfinger: fc.constant("alice@kith.example:8443"),
        alsoKnownAs: uris,
        movedTo: uri,
        fields: fc.array(record({ name: text, valueHtml: text }), {
          maxLength: 3,
        }),
      },
    ),
    fc.uniqueArray(
      fc.constantFrom(
        "outbox",
        "followers",
        "following",
        "featured",
        "sharedInbox",
      ),
    ),
  )
  .map(([name, rest, endpoints]) => {
    const id = `https://kith.example/u/${name}`;
    return {
      id,
      preferredUsername: name,
      url: `https://kith.example/@${name}`,
      inbox: `${id}/inbox`,
      publicKey: { id: `${id}/actor#main-key`, pem },
      ...Object.fromEntries(endpoints.map((one) => [one, `${id}/${one}`])),
      ...rest,
    };
  });
