import assert from "node:assert/strict";
import {
  ACTIVITY,
  actorDocument,
  ask,
  both,
  collection,
  inbox,
  outbox,
  postsToOutbox,
  readsInbox,
  refuses,
  TYPE,
  UNSERVED,
} from "../activitypub-checks.ts";
import {
  NOWHERE,
  type Rec,
  type Rows,
  type RowTest,
  type Stage,
} from "../stage.ts";

const endpoint = (name: string) => `service-api/ActivityPub endpoints/${name}`;
const decided = (n: number) =>
  `service-api-resolved/ActivityPub routes, decided/bullet ${n}`;

const V0 = "/api/v0/ap/user/ann";
const V1 = "/api/v1/ap/person/ann";

const linkedData: RowTest = async (stage) => {
  const post = await stage.post(stage.ann);
  for (const path of [V1, `${V1}/outbox`, `/api/v1/ap/object/${post.Guid}`]) {
    const { headers } = await ask(stage, "GET", path);
    assert.equal(headers.get("content-type"), TYPE);
    assert.equal(headers.get("accept"), TYPE);
  }
};

const keys: RowTest = async (stage) => {
  const uri = stage.actorUri("ann");
  const { json } = await ask(stage, "GET", `${V1}/actor`);
  const key = json["publicKey"] as Record<string, unknown>;
  assert.equal(uri, `${stage.kith.baseUrl}/api/v1/ap/person/ann`);
  assert.equal(json["id"], uri);
  assert.equal(key["id"], `${uri}/actor#main-key`);
  assert.equal(key["owner"], uri);
  assert.deepEqual((await ask(stage, "GET", V1)).json, json);
};

const unhandled: RowTest = async (stage) => {
  for (const [method, path] of [
    ["GET", "/api/v1/ap/nothing/known"],
    ["PATCH", `${V1}/inbox`],
    ["DELETE", V1],
    ["GET", "/api/v1/ap/inbox"],
    ["GET", "/api/v0/ap/inbox"],
    ["GET", `${V0}/inbox`],
  ] as const)
    await refuses(stage, method, path, UNSERVED);
};

export const activityPubRows: Rows = {
  [endpoint("POST /api/v0/ap/inbox")]: inbox("/api/v0/ap/inbox"),
  [endpoint("* /api/v0/ap/user/:username/outbox")]: both(
    outbox(`${V0}/outbox`),
    postsToOutbox(`${V0}/outbox`),
  ),
  [endpoint("POST /api/v0/ap/user/:username/inbox")]: inbox(`${V0}/inbox`),
  [endpoint("* /api/v0/ap/user/:username/following")]: collection(
    `${V0}/following`,
  ),
  [endpoint("* /api/v0/ap/user/:username/followers")]: collection(
    `${V0}/followers`,
  ),
  [endpoint("* /api/v0/ap/user/:username/actor")]: actorDocument(`${V0}/actor`),
  [endpoint("* /api/v1/ap/inbox")]: async (stage) => {
    await inbox("/api/v1/ap/inbox")(stage, "");
    await refuses(stage, "GET", "/api/v1/ap/inbox", UNSERVED);
  },
  [endpoint("* /api/v1/ap/person/:username/inbox")]: both(
    inbox(`${V1}/inbox`),
    readsInbox(`${V1}/inbox`),
  ),
  [endpoint("* /api/v1/ap/person/:username/outbox")]: both(
    outbox(`${V1}/outbox`),
    postsToOutbox(`${V1}/outbox`),
  ),
  [endpoint("* /api/v1/ap/*catchall")]: unhandled,
  [endpoint("rule 1")]: both(inbox(`${V1}/inbox`), readsInbox(`${V1}/inbox`)),
  [endpoint("rule 2")]: both(
    outbox(`${V1}/outbox`),
    postsToOutbox(`${V1}/outbox`),
  ),
  [endpoint("rule 3")]: async (stage) => {
    const post = await stage.post(stage.ann);
    const path = `/api/v1/ap/object/${post.Guid}`;
    const { status, json } = await ask(stage, "GET", path);
    assert.equal(status, 200);
    assert.equal(json["id"], stage.kith.baseUrl + path);
    assert.equal(json["type"], "Note");
  },
  [endpoint("rule 4")]: unhandled,
  [endpoint("rule 5")]: both(
    collection(`${V1}/outbox`),
    collection(`${V1}/followers`),
    collection(`${V1}/following`),
  ),
  [endpoint("rule 6")]: keys,
  [endpoint("rule 7")]: linkedData,
  [decided(1)]: async (stage) => {
    const { baseUrl } = stage.kith;
    const { Guid } = await stage.post(stage.ann);
    const { json } = await ask(stage, "GET", `/api/v1/ap/object/${Guid}`);
    assert.equal(json["id"], `${baseUrl}/api/v1/ap/object/${Guid}`);
    assert.equal(json["url"], `${baseUrl}/posts/${Guid}`);
    assert.equal(json["context"], `${baseUrl}/api/v1/ap/context/${Guid}`);
    const activity = await ask(stage, "GET", `/api/v1/ap/activity/${Guid}`);
    const id = `${baseUrl}/api/v1/ap/activity/${Guid}`;
    assert.equal(activity.json["id"], id);
    assert.equal(activity.json["type"], "Create");
    const actor = await ask(stage, "GET", V1);
    assert.equal(actor.json["url"], `${baseUrl}/u/ann`);
    const instance = await ask(stage, "GET", "/api/v1/ap/instance");
    assert.equal(instance.json["id"], `${baseUrl}/api/v1/ap/instance`);
  },
  [decided(2)]: linkedData,
  [decided(3)]: async (stage) => {
    for (let n = 0; n < 21; n += 1) await stage.post(stage.cam);
    const path = "/api/v1/ap/person/cam/outbox";
    const { json } = await ask(stage, "GET", path);
    assert.equal(json["first"], `${stage.kith.baseUrl}${path}?page=1`);
    const first = await ask(stage, "GET", `${path}?page=1`);
    assert.ok(first.json["next"]);
    await refuses(stage, "GET", `${path}?page=0`, [400, "Bad request"]);
  },
  [decided(4)]: both(
    actorDocument(`${V0}/actor`),
    collection(`${V0}/followers`),
    collection(`${V0}/following`),
    outbox(`${V0}/outbox`),
    inbox(`${V0}/inbox`),
    inbox("/api/v0/ap/inbox"),
  ),
  [decided(5)]: keys,
  [decided(6)]: both(outbox(`${V1}/outbox`), postsToOutbox(`${V1}/outbox`)),
  [decided(7)]: both(readsInbox(`${V1}/inbox`), unhandled),
  [decided(8)]: async (stage) => {
    await inbox(`${V1}/inbox`)(stage, "");
    const { actor } = await stage.meet("caller");
    const activity = actor.activity("Like", { object: "https://x.example/1" });
    const url = `${stage.actorUri("nobody")}/inbox`;
    assert.equal(await actor.send(url, activity), 404);
  },
  [decided(9)]: async (stage) => {
    await unhandled(stage, "");
    const { actor } = await stage.meet("eccentric");
    const odd = actor.activity("Arrive", { object: "https://x.example/1" });
    const url = stage.kith.baseUrl + V1;
    assert.equal(await actor.send(`${url}/inbox`, odd), 202);
    await stage.kith.settle();
    const path = `/api/v1/ap/object/${NOWHERE}`;
    await refuses(stage, "GET", path, [404, "Not found"]);
    const { Guid } = await stage.privatePost();
    const hidden = `/api/v1/ap/object/${Guid}`;
    await refuses(stage, "GET", hidden, [404, "Not found"]);
    const type = "text/plain";
    const wrongType = [415, "Unsupported media type"] as const;
    const sent = { body: ACTIVITY, type };
    await refuses(stage, "POST", `${V1}/inbox`, wrongType, sent);
    const post = await stage.post(stage.ann);
    const object = `${stage.kith.baseUrl}/api/v1/ap/object/${post.Guid}`;
    const like = actor.activity("Like", { object });
    assert.equal(await actor.send(`${url}/inbox`, like), 202);
    await stage.kith.settle();
    const liked = await stage.ann.get<Rec>(`/posts/${post.ID}`);
    assert.equal(liked["LikesCount"], 1, "this product goes further");
  },
  [decided(10)]: lastSeen,
};

/** Recorded once a day, for any activity. */
export async function lastSeen(stage: Stage): Promise<void> {
  const { kith } = stage;
  const DAY_MS = 24 * 3_600_000;
  // Its own user: the clock goes back afterwards, and recorded times do not.
  const person = await kith.person();
  const use = async () => {
    const path = `/api/v1/ap/person/${person.username}/outbox`;
    await ask(stage, "GET", path, { token: person.token });
    const list = await person.get<Rec[]>("/oauth/tokens");
    return list
      .map((it) => String(it["LastUsedAt"]))
      .sort()
      .at(-1);
  };
  let aheadMs = 0;
  const advance = (ms: number) => {
    kith.clock.advance(ms);
    aheadMs += ms;
  };
  try {
    // A day ends at midnight, whenever the test runs.
    const intoDayMs = kith.clock.now().getTime() % DAY_MS;
    advance(2 * DAY_MS - intoDayMs + DAY_MS / 2);
    const first = await use();
    advance(3_600_000);
    assert.equal(await use(), first, "within a day");
    advance(DAY_MS);
    assert.notEqual(await use(), first, "a day later");
  } finally {
    kith.clock.advance(-aheadMs);
  }
}
