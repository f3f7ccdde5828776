import assert from "node:assert/strict";
import {
  CONTENT_TYPE,
  type JsonObject,
  type JsonValue,
} from "@kith/activitypub";
import type { Answer } from "../server/api-client.ts";
import type { KithServer, TestPerson } from "../server/kith-server.ts";
import type { RemoteActor } from "./remote-server.ts";

/** A client that can fetch a document: with a token, or anonymous. */
type Asker = Pick<TestPerson, "token"> | null;

/** Asks for an address of the server's as ActivityPub clients do. */
export async function ask(
  url: string,
  by: Asker = null,
  init: RequestInit = {},
): Promise<Answer> {
  const response = await fetch(url, {
    redirect: "manual",
    ...init,
    headers: {
      accept: "application/activity+json",
      ...(by ? { access_token: by.token } : {}),
      ...(init.headers as Record<string, string> | undefined),
    },
  });
  const { status, headers } = response;
  return { status, headers, text: await response.text() };
}

/** A document, with the headers that every linked-data answer has. */
export function readDocument(answer: Answer, what = ""): JsonObject {
  assert.equal(answer.status, 200, `${what} ${answer.text}`);
  assert.equal(answer.headers.get("content-type"), CONTENT_TYPE, what);
  assert.equal(answer.headers.get("accept"), CONTENT_TYPE, what);
  return JSON.parse(answer.text) as JsonObject;
}

export async function read(url: string, by: Asker = null): Promise<JsonObject> {
  return readDocument(await ask(url, by), url);
}

/** Posts an activity to a person's own outbox. */
export function submit(
  kith: KithServer,
  by: TestPerson,
  activity: JsonValue,
): Promise<Answer> {
  return ask(`${actorOf(kith, by.username)}/outbox`, by, {
    method: "POST",
    headers: { "content-type": CONTENT_TYPE },
    body: JSON.stringify(activity),
  });
}

/** Posts an activity that is applied. @returns its id */
export async function submitAndApply(
  kith: KithServer,
  by: TestPerson,
  activity: JsonValue,
): Promise<string> {
  const { status, text, headers } = await submit(kith, by, activity);
  assert.equal(`${status} ${text}`, "201 ");
  const id = headers.get("location") ?? "";
  assert.match(id, /\/api\/v1\/ap\/activity\/[0-9a-f]{32}$/);
  return id;
}

/** The person follows the actor, whose server has got the Follow afterwards. */
export async function sendFollow(
  kith: KithServer,
  by: TestPerson,
  { id }: Pick<RemoteActor, "id">,
): Promise<void> {
  await submitAndApply(kith, by, { type: "Follow", object: id });
  await kith.settle();
}

export function actorOf(kith: KithServer, username: string): string {
  return `${kith.baseUrl}/api/v1/ap/person/${username}`;
}

export function objectOf(kith: KithServer, guid: string): string {
  return `${kith.baseUrl}/api/v1/ap/object/${guid}`;
}

export function activityOf(kith: KithServer, guid: string): string {
  return `${kith.baseUrl}/api/v1/ap/activity/${guid}`;
}

/** All members of a collection, page by page by its own links, and that its total is right. */
export async function walk(
  url: string,
  by: Asker = null,
): Promise<JsonValue[]> {
  const collection = await read(url, by);
  const items: JsonValue[] = [];
  let next = collection["first"];
  while (typeof next === "string") {
    const page = await read(next, by);
    assert.equal(page["type"], "OrderedCollectionPage");
    assert.equal(page["id"], next);
    assert.equal(page["partOf"], collection["id"]);
    assert.equal(page["totalItems"], collection["totalItems"]);
    items.push(...(page["orderedItems"] as JsonValue[]));
    if (page["next"] === undefined) assert.equal(next, collection["last"]);
    next = page["next"];
  }
  assert.equal(items.length, collection["totalItems"]);
  return items;
}
