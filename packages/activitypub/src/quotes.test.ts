import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { buildNote } from "./build/build-note.ts";
import {
  buildQuoteAuthorization,
  isQuoteAuthorized,
  readQuoteAuthorization,
  readQuoteRequest,
} from "./quotes.ts";
import { PUBLIC } from "./media-types.ts";
import { readActivity } from "./read/read-activity.ts";
import { readNote } from "./read/read-note.ts";
import { ALICE, noteInput, wire } from "../test/notes.ts";
import { refused, sampleActivity } from "../test/samples.ts";

const QUOTED = "https://kith.example/api/v1/ap/object/alicePost";
const QUOTING = "https://mastodon.example/users/carol/statuses/8";
const CAROL = "https://mastodon.example/users/carol";
const authorization = {
  id: "https://kith.example/api/v1/ap/quotes/1",
  attributedTo: ALICE,
  quoting: QUOTING,
  quoted: QUOTED,
};

describe("quotes", () => {
  test("Mastodon's request embeds the quoting post", () => {
    const request = readQuoteRequest(sampleActivity("mastodon-quote-request"));
    assert.deepEqual(
      [request.actor, request.quoted, request.quoting],
      [CAROL, QUOTED, QUOTING],
    );
    assert.ok(request.embedded);
    assert.equal(readNote(request.embedded).quote, QUOTED);
  });

  test("a request may name the post only by id, and must name both", () => {
    const json = {
      type: "QuoteRequest",
      actor: CAROL,
      object: QUOTED,
      instrument: QUOTING,
    };
    assert.equal("embedded" in readQuoteRequest(readActivity(json)), false);
    for (const over of [
      { object: null },
      { instrument: null },
      { type: "Like" },
    ]) {
      assert.throws(
        () => readQuoteRequest(readActivity({ ...json, ...over })),
        refused("not_an_activity"),
      );
    }
  });

  test("an authorization round-trips", () => {
    const built = buildQuoteAuthorization(authorization);
    assert.deepEqual(readQuoteAuthorization(wire(built)), authorization);
    for (const name of Object.keys(built)) {
      assert.throws(
        () => readQuoteAuthorization({ ...built, [name]: null }),
        refused("not_an_object"),
        name,
      );
    }
  });

  test("an authorization must be the quoted author's, on their server, for these two posts", () => {
    const quote = { id: QUOTING, attributedTo: CAROL, quote: QUOTED };
    const quoted = { id: QUOTED, attributedTo: ALICE };
    const allows = (over: Partial<typeof authorization>) =>
      isQuoteAuthorized(quote, quoted, { ...authorization, ...over });
    assert.ok(allows({}));
    assert.ok(!isQuoteAuthorized(quote, quoted));
    assert.ok(!allows({ attributedTo: CAROL }));
    assert.ok(!allows({ id: "https://mastodon.example/quotes/1" }));
    assert.ok(!allows({ quoting: "https://mastodon.example/other" }));
    assert.ok(!allows({ quoted: "https://kith.example/other" }));
    const other = { ...quote, quote: "https://kith.example/other" };
    assert.ok(!isQuoteAuthorized(other, quoted, authorization));
    const own = { ...quote, attributedTo: ALICE };
    assert.ok(isQuoteAuthorized(own, quoted));
  });

  test("our post names its quote in every form that peers know, and its quote policy", () => {
    const built = buildNote({
      ...noteInput,
      quote: QUOTED,
      quoteAuthorization: authorization.id,
      canQuote: [PUBLIC],
    });
    for (const name of ["quote", "quoteUrl", "quoteUri", "_misskey_quote"]) {
      assert.equal(built[name], QUOTED, name);
      const only = { ...wire(built), quote: null, quoteUrl: null };
      const rest = { ...only, quoteUri: null, _misskey_quote: null, tag: [] };
      assert.equal(readNote({ ...rest, [name]: QUOTED }).quote, QUOTED);
    }
    const read = readNote(wire(built));
    assert.deepEqual(
      [read.quote, read.quoteAuthorization, read.canQuote],
      [QUOTED, authorization.id, [PUBLIC]],
    );
    assert.equal(read.tags.at(-1)?.href, QUOTED);
  });
});

describe("the policy of a post", () => {
  const read = (interactionPolicy: unknown) => {
    const note = readNote({
      ...wire(buildNote(noteInput)),
      interactionPolicy,
    } as never);
    return [note.canQuote, note.mayAskToQuote];
  };
  const FOLLOWERS = `${ALICE}/followers`;

  test("has a newer and an older form, with one value or several", () => {
    for (const [policy, automatic, manual] of [
      [{ automaticApproval: [PUBLIC] }, [PUBLIC], []],
      [{ automaticApproval: PUBLIC }, [PUBLIC], []],
      [{ automaticApproval: "as:Public" }, ["as:Public"], []],
      [{ always: [PUBLIC] }, [PUBLIC], []],
      [{ always: PUBLIC, approvalRequired: [] }, [PUBLIC], []],
      [{ approvalRequired: [FOLLOWERS] }, [], [FOLLOWERS]],
      [{ manualApproval: FOLLOWERS }, [], [FOLLOWERS]],
      [
        { automaticApproval: [ALICE], manualApproval: [FOLLOWERS] },
        [ALICE],
        [FOLLOWERS],
      ],
      // The newer member wins.
      [{ automaticApproval: ALICE, always: PUBLIC }, [ALICE], []],
      [{}, [], []],
    ] as const)
      assert.deepEqual(read({ canQuote: policy }), [automatic, manual]);
  });

  test("is absent where it is no object", () => {
    for (const policy of [
      ...[undefined, null, "x", 1, [], {}],
      ...[{ canQuote: null }, { canQuote: PUBLIC }, { canQuote: [] }],
      { canLike: { automaticApproval: PUBLIC } },
    ])
      assert.deepEqual(read(policy), [undefined, undefined]);
  });
});
