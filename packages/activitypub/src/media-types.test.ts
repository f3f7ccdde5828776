import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CONTENT_TYPE,
  acceptsActivityPub,
  isActivityPubContentType,
  isFetchedContentType,
} from "./media-types.ts";

const PROFILE = 'profile="https://www.w3.org/ns/activitystreams"';

test("our content type is the one that every peer accepts", () => {
  assert.equal(CONTENT_TYPE, `application/ld+json; ${PROFILE}`);
});

test("acceptsActivityPub: the higher weight, then the more precise name, then the first wins", () => {
  const page = [
    "text/html, application/activity+json;q=0.9",
    "text/html, application/activity+json",
    "application/activity+json;q=0.5, */*",
    "application/activity+json;q=0.3, text/*;q=0.4",
    "text/html, */*;q=0.1 , application/ld+json;q=0.001",
    "application/activity+json;q=2, text/html;q=0.1",
  ];
  const document = [
    "application/activity+json, text/html",
    "text/html;q=0.9, application/activity+json",
    "*/*, application/activity+json",
    "text/*, application/ld+json",
    `application/activity+json, application/ld+json; ${PROFILE}, text/html;q=0.1`,
    "text/html;q=0, application/activity+json;q=0.1, */*",
    "application/activity+json;q=0.2, application/ld+json, text/html;q=0.5",
  ];
  for (const accept of page) assert.ok(!acceptsActivityPub(accept), accept);
  for (const accept of document) assert.ok(acceptsActivityPub(accept), accept);
});

test("acceptsActivityPub: either type anywhere in the list", () => {
  const yes = [
    "application/activity+json, application/ld+json",
    `application/ld+json; ${PROFILE}, application/activity+json`,
    `application/ld+json; ${PROFILE}`,
    "application/activity+json",
    "APPLICATION/Activity+JSON;q=0.1",
    "text/plain, */*;q=0.0001 , application/ld+json;q=0.001",
    'text/x;a="q,\\",b", application/activity+json',
  ];
  const no = [
    undefined,
    "",
    "*/*",
    "application/*",
    "application/json",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "application/activity+json;q=0",
    "application/activity+json; q=0.000",
    "application/ld+json;q=nonsense",
    'text/html;a=", application/activity+json"',
  ];
  for (const accept of yes)
    assert.equal(acceptsActivityPub(accept), true, `${accept}`);
  for (const accept of no)
    assert.equal(acceptsActivityPub(accept), false, `${accept}`);
});

test("isActivityPubContentType: either type, whatever the parameters", () => {
  assert.ok(isActivityPubContentType("application/ld+json"));
  assert.ok(
    isActivityPubContentType("application/activity+json; charset=utf-8"),
  );
  assert.ok(isActivityPubContentType(CONTENT_TYPE));
  assert.ok(!isActivityPubContentType(undefined));
  assert.ok(!isActivityPubContentType("application/json"));
  assert.ok(!isActivityPubContentType("application/activity+jsonx"));
});

test("isFetchedContentType: the types of uploads are not trusted", () => {
  for (const type of [
    "application/activity+json",
    "application/activity+json; charset=utf-8",
    CONTENT_TYPE,
    "application/ld+json;profile=https://www.w3.org/ns/activitystreams",
    'application/ld+json; profile="https://example.org/x https://www.w3.org/ns/activitystreams"; charset=utf-8',
  ]) {
    assert.equal(isFetchedContentType(type), true, `${type}`);
  }
  for (const type of [
    undefined,
    "",
    "application/json",
    "application/ld+json",
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams.evil"',
    'application/ld+json; x="profile=https://www.w3.org/ns/activitystreams"',
    'application/octet-stream; profile="https://www.w3.org/ns/activitystreams"',
    "text/plain",
  ]) {
    assert.equal(isFetchedContentType(type), false, `${type}`);
  }
});
