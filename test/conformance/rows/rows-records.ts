import assert from "node:assert/strict";
import {
  OWN_GUID,
  TIMESTAMP,
} from "../../../packages/server/test/support/server/wire.ts";
import type { Rec, Rows, RowTest, Stage } from "../stage.ts";

/** Creates a record as its owner sees it. */
type Make = (stage: Stage) => Promise<Rec>;

type Check = (value: unknown, record: Rec, stage: Stage) => void;

const isId: Check = (value) => assert.ok(Number(value) > 0, String(value));
const isTime: Check = (value) => assert.match(String(value), TIMESTAMP);
const isGuid: Check = (value) => assert.match(String(value), OWN_GUID);
const is =
  (expected: unknown): Check =>
  (value) =>
    assert.equal(value, expected);
const isAnn: Check = (value, _record, { ann }) =>
  assert.equal(value, ann.record.ID);
const isUserOfAnn: Check = (value, _record, { ann }) =>
  assert.equal(value, ann.record.UserID);
const isPersonAnn: Check = (value, _record, { ann }) => {
  const { Author, Profile } = value as Rec;
  assert.equal(Author, ann.handle);
  assert.equal(Profile["Author"], ann.handle);
};

/** One row for each field of a record. */
export function fieldRows(
  section: string,
  make: Make,
  checks: Readonly<Record<string, Check>>,
): Rows {
  return Object.fromEntries(
    Object.entries(checks).map(([field, check]): [string, RowTest] => [
      `service-api/${section}/${field}`,
      async (stage) => {
        const record = await make(stage);
        assert.ok(field in record, `there is a ${field}`);
        check(record[field], record, stage);
      },
    ]),
  );
}

/** A record has exactly the fields that its row lists. */
export function wholeRecord(make: Make): RowTest {
  return async (stage, text) => {
    const record = await make(stage);
    assert.deepEqual(Object.keys(record).sort(), fieldsListed(text));
  };
}

/** The names of a row such as `| Aspect | ID, Name, Memberships (array of memberships) |`. */
function fieldsListed(row: string): string[] {
  const list = row.split("|")[2] ?? "";
  let flat = list;
  while (/\([^()]*\)/.test(flat)) flat = flat.replaceAll(/\([^()]*\)/g, "");
  const names = flat.match(/\b(?:[A-Z]\w*|token)\b/g) ?? [];
  const words = new Set(["PEM", "SPKI"]);
  return [...new Set(names.filter((name) => !words.has(name)))].sort();
}

const person: Make = ({ ann }) =>
  ann.post<Rec>("/search", { handle: ann.handle });
const post: Make = (stage) => stage.post(stage.ann);
const comment: Make = async (stage) =>
  stage.comment(stage.ann, await stage.post(stage.bob));
const like: Make = async (stage) =>
  stage.like(stage.ann, await stage.post(stage.bob));
const aspect: Make = (stage) => stage.aspect(stage.ann);
const notification: Make = async (stage) => {
  const { kith, ann, bob } = stage;
  await stage.like(bob, await stage.post(ann));
  await kith.settle();
  const [first] = await ann.get<Rec[]>("/notifications");
  assert.ok(first);
  return first;
};
const reshare: Make = async (stage) => {
  const root = await stage.post(stage.bob);
  return stage.ann.post<Rec>(`/posts/${root.Guid}/reshare`);
};
const membership: Make = async (stage) => {
  const { ann, cam } = stage;
  const { ID } = await stage.aspect(ann);
  return ann.post<Rec>(`/people/${cam.record.ID}/aspects/${ID}`);
};
const token: Make = async ({ kith }) =>
  (await kith.token("ann", "record")) as unknown as Rec;

const POST = fieldRows("Post", post, {
  CreatedAt: isTime,
  Public: is(true),
  Guid: isGuid,
  Type: is("StatusMessage"),
  Text: is("Hello"),
  PersonID: isAnn,
  Person: isPersonAnn,
});

const RESHARE = fieldRows("Post", reshare, {
  RootPersonID: (value, _record, { bob }) => assert.equal(value, bob.record.ID),
  RootGuid: (value, record) => {
    isGuid(value, record, {} as Stage);
    assert.equal((record["Root"] as Rec).Guid, value);
  },
});

export const recordRows: Rows = {
  ...fieldRows("Person record (result of search)", person, {
    ID: isId,
    CreatedAt: isTime,
    UpdatedAt: isTime,
    Guid: isGuid,
    Author: (value, _record, { ann }) => assert.equal(value, ann.handle),
    SerializedPublicKey: (value) =>
      assert.match(String(value), /^-----BEGIN PUBLIC KEY-----\n/),
    UserID: isUserOfAnn,
  }),
  ...POST,
  ...RESHARE,
  "service-api/Post/Public": async (stage) => {
    const { ann, bob } = stage;
    assert.equal((await stage.post(ann)).Public, true);
    assert.equal((await stage.post(ann, { aspectID: 0 })).Public, true);
    assert.equal((await stage.privatePost()).Public, false);
    const root = await stage.post(bob);
    const again = await ann.post<Rec>(`/posts/${root.ID}/reshare`);
    assert.equal(again.Public, true);
  },
  "service-api/Post/Type": async (stage) => {
    assert.equal((await post(stage))["Type"], "StatusMessage");
    assert.equal((await reshare(stage))["Type"], "Reshare");
  },
  ...fieldRows("Comment", comment, {
    Guid: isGuid,
    Text: is("Indeed"),
    ShareableID: isId,
    ShareableType: is("Post"),
    PersonID: isAnn,
    CreatedAt: isTime,
    Person: isPersonAnn,
  }),
  ...fieldRows("Like", like, {
    Positive: is(true),
    ShareableID: isId,
    ShareableType: is("Post"),
    PersonID: isAnn,
    Guid: isGuid,
  }),
  "service-api/Like/Positive": async (stage) => {
    const target = await stage.post(stage.bob);
    const liked = await stage.like(stage.ann, target);
    assert.equal(liked["Positive"], true);
    const disliked = await stage.like(stage.ann, target, { positive: false });
    assert.equal(disliked["Positive"], false);
  },
  ...fieldRows("Aspect", aspect, { Name: is("circle"), UserID: isUserOfAnn }),
  ...fieldRows("Notification", notification, {
    ID: isId,
    UserID: isUserOfAnn,
    Unread: is(true),
  }),
  "service-api/Error object/error": async ({ ann }) => {
    const { text } = await ann.call("GET", "/posts/1");
    assert.deepEqual(JSON.parse(text), { error: "Not found" });
  },
  "service-api/States and transitions/Notification": async (stage) => {
    const { ann, bob } = stage;
    const { ID } = await notification(stage);
    const path = `/notifications/${ID}`;
    await bob.notFound("PUT", path);
    assert.equal((await ann.get<Rec>(path))["Unread"], true);
    assert.equal((await ann.put<Rec>(path))["Unread"], false);
    assert.equal((await ann.get<Rec>(path))["Unread"], false);
    await stage.failsToSave("notifications", ann, "PUT", path);
  },
  ...Object.fromEntries(
    Object.entries({
      Person: person,
      Profile: async (stage: Stage) => (await person(stage)).Profile,
      Post: post,
      Comment: comment,
      Like: like,
      Aspect: aspect,
      Membership: membership,
      Notification: notification,
      "Token result": token,
    }).map(([name, make]) => [
      `service-api-resolved/Records: all fields/${name}`,
      wholeRecord(make),
    ]),
  ),
};
