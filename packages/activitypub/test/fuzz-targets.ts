import assert from "node:assert/strict";
import { readAudience } from "../src/audience.ts";
import { ActivityPubError } from "../src/errors.ts";
import {
  readIntegrityProof,
  verifyIntegrityProof,
} from "../src/proofs/integrity-proof.ts";
import { isJsonArray, isJsonObject, parseJson } from "../src/json/json.ts";
import type { JsonObject, JsonValue } from "../src/json/json-types.ts";
import {
  acceptsActivityPub,
  isActivityPubContentType,
  isFetchedContentType,
} from "../src/media-types.ts";
import {
  isQuoteAuthorized,
  readQuoteAuthorization,
  readQuoteRequest,
} from "../src/quotes.ts";
import * as acts from "../src/read/read-acts.ts";
import { readActivity } from "../src/read/read-activity.ts";
import type { Activity } from "../src/read/read-activity.ts";
import { readActor } from "../src/read/read-actor.ts";
import { readCollection } from "../src/read/read-collection.ts";
import { readEvent } from "../src/read/read-event.ts";
import { readKeyDocument } from "../src/read/read-key.ts";
import { readNote } from "../src/read/read-note.ts";
import { readPost } from "../src/read/read-post.ts";
import {
  readQuestion,
  readVote,
  readVotesOf,
} from "../src/read/read-question.ts";
import { resolveKey } from "../src/resolve-key.ts";
import { parseHttpUrl, sameOrigin } from "../src/urls.ts";
import { activityPubLink, parseJrd } from "../src/webfinger.ts";
import { httpSignatures, integrityProofs } from "./fuzz-signatures.ts";
import { understood } from "./fuzz-target.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { mutate, mutateText, pick, splice } from "./mutate.ts";
import { ed25519 } from "./requests.ts";
import { sampleBytes, sampleNames, vectors } from "./vectors.ts";
import { jsonLd } from "./json-ld.ts";

const KEY_ID = "https://mastodon.example/users/carol#main-key";

const ofActivity: ((activity: Activity) => unknown)[] = [
  acts.readReaction,
  acts.readBlock,
  acts.readMove,
  acts.readFlag,
  acts.readCollectionChange,
  acts.readDelete,
  acts.readParticipation,
  readQuoteRequest,
  readVotesOf,
  ({ to, cc, actor }) => readAudience(to, cc, `${actor}/followers`),
];

/** Every reader of this package, each called with any object. */
export const READERS: ((json: JsonObject) => unknown)[] = [
  readActivity,
  readActor,
  readNote,
  (json) => readVote(readNote(json)),
  (json) => isQuoteAuthorized(readNote(json), readNote(json)),
  readPost,
  readQuestion,
  readEvent,
  readCollection,
  acts.readTombstone,
  readQuoteAuthorization,
  readIntegrityProof,
  (json) => verifyIntegrityProof(json, ed25519.publicKey),
  (json) => readKeyDocument(json, KEY_ID),
  ...ofActivity.map((read) => (json: JsonObject) => read(readActivity(json))),
];

/** Members for which a reader promises an http(s) URL. */
const URLS = [
  "id",
  "actor",
  "attributedTo",
  "url",
  "inbox",
  "voter",
  "question",
  "blocked",
  "from",
  "quoted",
  "quoting",
  "onlineUrl",
  "externalParticipationUrl",
];
const TIMES = ["published", "updated", "startTime", "endTime", "closedAt"];

/** Reads an object with every reader, and checks the results. */
function readAll(json: JsonObject): boolean {
  let isAny = false;
  for (const read of READERS) {
    try {
      checkPromises(read(json), read !== readCollection);
      isAny = true;
    } catch (error) {
      if (!(error instanceof ActivityPubError)) throw error;
    }
  }
  return isAny;
}

function checkPromises(value: unknown, hasUrls: boolean): void {
  if (typeof value !== "object" || value === null) return;
  const members = value as Record<string, unknown>;
  for (const name of hasUrls ? URLS : []) {
    const url = members[name];
    if (url === undefined) continue;
    assert.ok(typeof url === "string" && parseHttpUrl(url), name);
  }
  for (const name of TIMES) {
    const time = members[name];
    if (time === undefined) continue;
    assert.ok(typeof time === "string", name);
    assert.equal(new Date(time).toISOString(), time, name);
  }
  assert.equal(Object.hasOwn(members, "__proto__"), false);
  assert.equal(
    (Object.prototype as { polluted?: unknown }).polluted,
    undefined,
  );
}

function objectsIn(value: JsonValue, depth = 0): JsonObject[] {
  if (depth > 3) return [];
  const inner = isJsonArray(value)
    ? value
    : isJsonObject(value)
      ? Object.values(value)
      : [];
  const found = inner.flatMap((item) => objectsIn(item, depth + 1));
  return isJsonObject(value) ? [value, ...found] : found;
}

const samples = sampleNames().map(sampleBytes);

const documents: FuzzTarget = {
  name: "document",
  next: (random) => mutate(pick(samples, random), random),
  run: (input) =>
    understood(() => {
      const found = objectsIn(parseJson(input)).map(readAll);
      if (!found.includes(true)) throw new ActivityPubError("unsupported", "");
    }),
};

/** The same with whole values exchanged, so that most results are still JSON. */
const spliced: FuzzTarget = {
  ...documents,
  name: "document with other values",
  next: (random) => {
    let bytes = pick(samples, random);
    for (let times = 1 + random(6); times > 0; times -= 1) {
      bytes = splice(bytes, random);
    }
    return bytes;
  },
};

const urls = Object.keys(vectors.documents);

/** A resolved key must belong to the server in its id. */
const keyDocuments: FuzzTarget = {
  name: "key document",
  next: (random) => {
    const url = pick(urls, random);
    const body = JSON.stringify(vectors.documents[url]?.body ?? null);
    return Buffer.concat([
      Buffer.from(`${url}\n`),
      mutate(Buffer.from(body), random),
    ]);
  },
  run: (input) =>
    understood(async () => {
      const end = input.indexOf(10);
      const url = Buffer.from(input.subarray(0, end)).toString();
      const changed = input.subarray(end + 1);
      const key = pick(vectors.keys, () => input.length % vectors.keys.length);
      const found = await resolveKey({
        keyId: key.keyId,
        jsonLd,
        fetchDocument: async (asked) => {
          const known = vectors.documents[asked];
          return {
            status: known?.status ?? 404,
            contentType: known?.contentType ?? "text/html",
            body:
              asked === url
                ? changed
                : Buffer.from(JSON.stringify(known?.body ?? null)),
          };
        },
      });
      if (found.kind !== "resolved")
        throw new ActivityPubError("unsupported", "");
      assert.ok(sameOrigin(found.key.owner, key.keyId));
      assert.equal(found.key.owner, found.actor?.id);
    }),
};

const JRD = JSON.stringify({
  subject: "acct:alice@kith.example",
  aliases: ["https://kith.example/@alice"],
  links: [
    {
      rel: "self",
      type: "application/activity+json",
      href: "https://kith.example/alice",
    },
  ],
});

const webfingers: FuzzTarget = {
  name: "WebFinger",
  next: (random) => mutate(Buffer.from(JRD), random),
  run: (input) =>
    understood(() => {
      const link = activityPubLink(parseJrd(input));
      assert.ok(link === undefined || parseHttpUrl(link));
    }),
};

const TYPES = [
  'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
  "application/activity+json",
  "text/html, application/xhtml+xml;q=0.9, */*;q=0.1",
];

const mediaTypes: FuzzTarget = {
  name: "media type",
  next: (random) => {
    let text = pick(TYPES, random);
    for (let times = 1 + random(3); times > 0; times -= 1) {
      text = mutateText(text, random).repeat(random(50) === 0 ? 40 : 1);
    }
    return Buffer.from(text);
  },
  run: (input) => {
    const text = Buffer.from(input).toString();
    // A list that is one type answers both questions in the same way.
    if (isFetchedContentType(text)) assert.ok(isActivityPubContentType(text));
    return acceptsActivityPub(text);
  },
};

/** Everything in this package that reads untrusted input. */
export const fuzzTargets: readonly FuzzTarget[] = [
  documents,
  spliced,
  httpSignatures,
  integrityProofs,
  keyDocuments,
  webfingers,
  mediaTypes,
];
