import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { buildAudience, readAudience } from "./audience.ts";
import { buildActivity, buildTombstone } from "./build/build-activity.ts";
import type { ActivityInput } from "./build/build-activity.ts";
import { buildActor } from "./build/build-actor.ts";
import {
  buildCollection,
  buildCollectionPage,
} from "./build/build-collection.ts";
import { buildEvent } from "./build/build-event.ts";
import { buildNote } from "./build/build-note.ts";
import { buildQuestion, buildVote } from "./build/build-question.ts";
import { withContext } from "./context.ts";
import { buildQuoteAuthorization, readQuoteAuthorization } from "./quotes.ts";
import { readTombstone } from "./read/read-acts.ts";
import { readActivity } from "./read/read-activity.ts";
import { readActor } from "./read/read-actor.ts";
import { readCollection } from "./read/read-collection.ts";
import { readEvent } from "./read/read-event.ts";
import { readNote } from "./read/read-note.ts";
import type { Note } from "./read/read-note.ts";
import { readQuestion, readVote } from "./read/read-question.ts";
import {
  actorArbitrary,
  count,
  eventArbitrary,
  guid,
  noteArbitrary,
  pollArbitrary,
  record,
  text,
  time,
  uri,
  uris,
  voteArbitrary,
} from "../test/arbitrary-objects.ts";
import { wire } from "../test/notes.ts";
import { buildJrd, parseJrd } from "./webfinger.ts";

const RUNS = { numRuns: 150 };

/** The value without undefined members and empty lists: absent and empty are the same on the wire. */
function lean(value: object): object {
  const isEmpty = (one: unknown) => Array.isArray(one) && one.length === 0;
  return Object.fromEntries(
    Object.entries(value).filter(
      ([, one]) => one !== undefined && !isEmpty(one),
    ),
  );
}

/** The result of reading, in the form of the builder's input. */
function asNoteInput(note: Note): object {
  const { contentMap, quote, ...rest } = note;
  const tags = note.tags.filter(({ type }) => type !== "Link");
  if (contentMap) assert.deepEqual(Object.values(contentMap), [note.content]);
  const {
    content,
    raw: _raw,
    source,
    mediaType: _mediaType,
    ...members
  } = rest;
  return lean({
    ...members,
    contentHtml: content,
    source: source?.content,
    quote,
    tags,
  });
}

const withDefaults = (input: object) => ({
  type: "Note",
  sensitive: false,
  direct: false,
  ...input,
});

describe("built objects round-trip", () => {
  test("any note, article or page", () => {
    fc.assert(
      fc.property(noteArbitrary, (input) => {
        const read = readNote(wire(withContext(buildNote(input))));
        assert.deepEqual(asNoteInput(read), lean(withDefaults(input)));
      }),
      RUNS,
    );
  });

  test("any question", () => {
    fc.assert(
      fc.property(noteArbitrary, pollArbitrary, (input, poll) => {
        const { type: _, ...rest } = input;
        const read = readQuestion(wire(buildQuestion(rest, poll)));
        const { multiple, options, endTime, closed, closedAt, votersCount } =
          read;
        assert.deepEqual(
          lean({ multiple, options, endTime, closed: closedAt, votersCount }),
          lean(poll),
        );
        assert.equal(closed, poll.closed !== undefined);
        const note = asNoteInput(readNote(read.raw));
        assert.deepEqual(
          note,
          lean({ ...withDefaults(rest), type: "Question" }),
        );
      }),
      RUNS,
    );
  });

  test("any vote", () => {
    fc.assert(
      fc.property(voteArbitrary, (input) => {
        const note = readNote(wire(buildVote(input)));
        const { id, voter, question, option, author, published } = input;
        assert.deepEqual(readVote(note), { id, voter, question, option });
        assert.deepEqual([note.to, note.cc], [[author], []]);
        assert.equal(note.published, published);
      }),
      RUNS,
    );
  });

  test("any event", () => {
    fc.assert(
      fc.property(eventArbitrary, (input) => {
        const read = readEvent(wire(withContext(buildEvent(input))));
        const { draft, attachments, ...details } = read;
        assert.equal(draft, false);
        const links = input.onlineUrl === undefined ? 0 : 1;
        assert.equal(attachments.length, links);
        const { type, ...event } = asNoteInput(details as unknown as Note) as {
          type: string;
        };
        assert.equal(type, "Event");
        assert.deepEqual(
          event,
          lean({ sensitive: false, direct: false, ...input }),
        );
      }),
      RUNS,
    );
  });

  test("any actor", () => {
    fc.assert(
      fc.property(actorArbitrary, (input) => {
        const { raw, publicKeys, summary, fields, tags, ...read } = readActor(
          wire(withContext(buildActor(input))),
        );
        assert.equal(raw["id"], input.id);
        assert.deepEqual(tags, []);
        const { publicKey, ...expected } = input;
        assert.deepEqual(
          lean({
            ...read,
            summaryHtml: summary,
            fields: fields.map(({ name, value }) => ({
              name,
              valueHtml: value,
            })),
          }),
          lean(expected),
        );
        assert.deepEqual(
          publicKeys.map(({ id, pem }) => ({ id, pem })),
          [publicKey],
        );
      }),
      RUNS,
    );
  });

  const activity = record<ActivityInput>(
    {
      id: uri,
      type: fc.constantFrom(
        "Accept",
        "Announce",
        "Block",
        "EmojiReact",
        "Follow",
        "Join",
        "Move",
        "QuoteRequest",
        "Undo",
      ),
      actor: uri,
      object: uri,
    },
    {
      target: uri,
      instrument: uri,
      result: uri,
      content: text,
      participationMessage: text,
      to: uris,
      cc: uris,
      published: time,
      guid,
    },
  );

  test("any activity", () => {
    fc.assert(
      fc.property(activity, (input) => {
        const { raw, object, objects, ...read } = readActivity(
          wire(withContext(buildActivity(input))),
        );
        assert.deepEqual(objects, [{ id: input.object }]);
        const { content, participationMessage } = raw;
        assert.deepEqual(
          lean({ ...read, object: object?.id, content, participationMessage }),
          lean(input),
        );
      }),
      RUNS,
    );
  });

  test("any collection and any page of one", () => {
    const collection = record<Parameters<typeof buildCollection>[0]>(
      {
        id: uri,
        type: fc.constantFrom("OrderedCollection", "Collection"),
        totalItems: count,
      },
      { first: uri },
    );
    const page = record<Parameters<typeof buildCollectionPage>[0]>(
      { id: uri, partOf: uri, items: uris },
      { next: uri, prev: uri, totalItems: count, ordered: fc.boolean() },
    );
    fc.assert(
      fc.property(collection, page, (whole, part) => {
        const { type: _type, ...expected } = whole;
        assert.deepEqual(readCollection(wire(buildCollection(whole))), {
          ...expected,
          items: [],
        });
        const { items, ...read } = readCollection(
          wire(buildCollectionPage(part)),
        );
        assert.deepEqual(
          items.map(({ id }) => id),
          part.items,
        );
        const { id, next, prev, totalItems } = part;
        assert.deepEqual(read, lean({ id, next, prev, totalItems }));
      }),
      RUNS,
    );
  });

  test("any tombstone, any quote authorization, any WebFinger response", () => {
    const tombstone = record<Parameters<typeof buildTombstone>[0]>(
      { id: uri, formerType: fc.constantFrom("Note", "Event") },
      { deleted: time, guid },
    );
    const authorization = record<Parameters<typeof buildQuoteAuthorization>[0]>(
      { id: uri, attributedTo: uri, quoting: uri, quoted: uri },
    );
    const jrd = record<Parameters<typeof buildJrd>[0]>({
      subject: fc.constantFrom("acct:alice@kith.example:8443"),
      aliases: uris,
      links: fc.array(
        record({ rel: uri }, { type: text, href: uri, template: text }),
        { maxLength: 4 },
      ),
    });
    fc.assert(
      fc.property(tombstone, authorization, jrd, (gone, leave, answer) => {
        assert.deepEqual(readTombstone(wire(buildTombstone(gone))), gone);
        assert.deepEqual(
          readQuoteAuthorization(wire(buildQuoteAuthorization(leave))),
          leave,
        );
        assert.deepEqual(parseJrd(buildJrd(answer)), answer);
      }),
      RUNS,
    );
  });

  test("any audience", () => {
    const followersUri = "https://kith.example/u/alice/followers";
    const audience = record<Parameters<typeof buildAudience>[0]>({
      scope: fc.constantFrom("public", "unlisted", "followers", "direct"),
      followersUri: fc.constant(followersUri),
      addressed: uris,
    });
    fc.assert(
      fc.property(audience, (input) => {
        const { to, cc } = buildAudience(input);
        const { scope, addressed } = input;
        assert.deepEqual(readAudience(to, cc, followersUri), {
          scope,
          addressed,
        });
      }),
      RUNS,
    );
  });
});
