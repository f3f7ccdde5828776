import assert from "node:assert/strict";
import { readConfig } from "../../packages/server/src/config/config.ts";
import { assertError } from "../../packages/server/test/support/api-client.ts";
import {
  OWN_GUID,
  TIMESTAMP,
} from "../../packages/server/test/support/wire.ts";
import { activityPubRows, lastSeen } from "./rows-activitypub.ts";
import { peopleRows } from "./rows-people.ts";
import {
  needsToken,
  NOWHERE,
  type Rec,
  type Rows,
  type RowTest,
} from "./stage.ts";

const authentication = (n: number) => `service-api/Authentication/rule ${n}`;
const convention = (n: number) =>
  `service-api-resolved/Conventions/bullet ${n}`;

/** A rule that the test of another row shows. */
const shownBy = (rows: Rows, id: string): RowTest => {
  const run = rows[id];
  if (!run) throw new Error(`There is no row ${id}`);
  return run;
};

const unserved: RowTest = async ({ ann, kith }) => {
  for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    for (const path of ["/nothing", "/posts/1/nothing/at/all"]) {
      const answer = await ann.call(method, path);
      assertError(answer, 501, "Not implemented", `${method} ${path}`);
    }
  for (const path of ["/api", "/api/v7/posts", "/api/v1/nothing"]) {
    const answer = await fetch(kith.baseUrl + path);
    assert.equal(answer.status, 501);
    assert.deepEqual(await answer.json(), { error: "Not implemented" });
  }
  const wrongMethod = await ann.call("PATCH", "/posts");
  assertError(wrongMethod, 501, "Not implemented", "PATCH /posts");
};

const tokenPlaces: RowTest = async ({ ann, bob, kith }) => {
  const { anonymous } = kith;
  const header = { access_token: ann.token };
  const bearer = { authorization: `Bearer ${ann.token}` };
  const query = { access_token: ann.token };
  for (const sent of [{ headers: header }, { headers: bearer }, { query }])
    assert.equal((await anonymous.call("GET", "/posts", sent)).status, 200);
  const form = { name: "by form", access_token: bob.token };
  const byForm = await anonymous.call("POST", "/aspects", { form });
  assert.equal(byForm.status, 200, byForm.text);
  const won = await anonymous.call("POST", "/aspects", {
    form,
    headers: header,
  });
  const { UserID } = JSON.parse(won.text) as Rec;
  assert.equal(UserID, ann.record.UserID, "the header wins");
};

const wrongToken: RowTest = async ({ kith }) => {
  for (const token of [undefined, "", "0".repeat(64)])
    await kith.anonymous.with(token).unauthorized("GET", "/posts");
};

const signedDelivery: RowTest = async (stage) => {
  const actor = await stage.follower("verifier");
  await stage.post(stage.ann);
  await stage.kith.settle();
  const signature = String(actor.deliveries.at(-1)?.headers["signature"]);
  assert.match(signature, /algorithm="rsa-sha256"/);
  assert.match(signature, /headers="[^"]*\buser-agent\b/);
  const keyId = `${stage.actorUri("ann")}/actor#main-key`;
  assert.ok(signature.includes(`keyId="${keyId}"`));
};

export const ruleRows: Rows = {
  [authentication(1)]: shownBy(
    peopleRows,
    "service-api/Tokens/POST /api/v0/oauth/tokens",
  ),
  [authentication(2)]: tokenPlaces,
  [authentication(4)]: wrongToken,
  [authentication(5)]: async (stage) => {
    const token = await stage.kith.token("ann", "exempt");
    await needsToken(stage, "DELETE", `/oauth/tokens/${token.ID}`);
    await needsToken(stage, "GET", "/oauth/tokens");
  },
  [authentication(6)]: async (stage) => {
    const id =
      "service-api/ActivityPub endpoints/* /api/v1/ap/person/:username/outbox";
    await shownBy(activityPubRows, id)(stage, "");
    await lastSeen(stage);
  },
  [authentication(7)]: async (stage) => {
    const limited = await stage.privatePost();
    const path = `${stage.actorUri("ann")}/outbox`;
    const answer = await fetch(`${path}?page=1`);
    assert.equal(answer.status, 200);
    assert.ok(!(await answer.text()).includes(limited.Guid));
    const posted = await fetch(path, { method: "POST", body: "{}" });
    assert.equal(posted.status, 401);
  },
  [authentication(8)]: async ({ kith }) => {
    const answer = await fetch(`${kith.baseUrl}/api/v1/ap/inbox`);
    assert.equal(answer.status, 501);
    assert.deepEqual(await answer.json(), { error: "Not implemented" });
  },
  [authentication(9)]: signedDelivery,
  [authentication(10)]: async (stage) => {
    const { actor, person } = await stage.meet("keeper");
    assert.match(String(person["SerializedPublicKey"]), /BEGIN PUBLIC KEY/);
    const activity = actor.activity("Like", { object: "https://x.example/1" });
    const inbox = `${stage.actorUri("ann")}/inbox`;
    assert.equal(await actor.send(inbox, activity), 202);
    const { actor: other } = await stage.meet("forger");
    const forged = { ...activity, id: `${actor.uri}/forged` };
    assert.equal(await other.send(inbox, forged), 401);
  },
  "service-api/Catch-all/* /api/*catchall (any path not matched above)":
    unserved,
  "service-api/Errors/400 blank required string (post text, comment text, name)":
    async (stage) => {
      const { ann } = stage;
      const { ID } = await stage.post(ann);
      for (const path of ["/posts", `/posts/${ID}/comments`, "/aspects"])
        for (const form of [{}, { post: " ", comment: " ", name: " " }])
          await ann.blank("POST", path, { form });
    },
  "service-api/Errors/400 generic bad request": async ({ ann }) => {
    await ann.badRequest("GET", "/posts", { query: { offset: "x" } });
    await ann.badRequest("GET", "/posts", { query: { fields: "(" } });
    const json = { form: { post: "x", aspectID: "abc" } };
    await ann.badRequest("POST", "/posts", json);
  },
  "service-api/Errors/401 no user resolved from the token": wrongToken,
  "service-api/Errors/404 entity looked up by id or guid not found": async ({
    ann,
  }) => {
    for (const id of ["999999", NOWHERE])
      for (const kind of ["posts", "comments", "people"])
        await ann.notFound("GET", `/${kind}/${id}`);
    await ann.notFound("GET", "/notifications/999999");
    await ann.notFound("DELETE", `/likes/${NOWHERE}`);
  },
  "service-api/Errors/500 saving or id generation failed": async (stage) => {
    const { ann } = stage;
    await stage.failsToSave("posts", ann, "POST", "/posts", { post: "x" });
    await stage.failsToSave("aspects", ann, "POST", "/aspects", { name: "x" });
  },
  "service-api/Errors/501 route not matched, or ActivityPub request not handled":
    async (stage) => {
      await unserved(stage, "");
      const id = "service-api/ActivityPub endpoints/rule 4";
      await shownBy(activityPubRows, id)(stage, "");
    },
  "service-api/Versioning/rule 1": async (stage) => {
    assert.equal((await stage.ann.call("GET", "/posts")).status, 200);
    const { baseUrl } = stage.kith;
    for (const path of ["/api/v0/ap/user/ann/actor", "/api/v1/ap/person/ann"])
      assert.equal((await fetch(baseUrl + path)).status, 200, path);
  },
  "service-api/Versioning/rule 2": async () => {
    const { config } = readConfig({}, {});
    assert.equal(config.apiVersion, "v0");
    assert.match(config.baseUrl, /^http:\/\/localhost(:\d+)?$/);
  },
  "service-api/Versioning/rule 3": unserved,
  [convention(1)]: async ({ ann }) => {
    const parameters = { name: "each way", fields: "Name" };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(parameters))
      multipart.append(name, value);
    for (const sent of [
      { form: parameters },
      { multipart },
      { query: parameters },
      { json: parameters },
      { query: { ...parameters, name: "loses" }, form: parameters },
    ]) {
      const answer = await ann.call("POST", "/aspects", sent);
      assert.deepEqual(JSON.parse(answer.text), { Name: "each way" });
    }
  },
  [convention(2)]: tokenPlaces,
  [convention(3)]: async (stage) => {
    const { CreatedAt, Person } = await stage.post(stage.cam);
    assert.match(CreatedAt, TIMESTAMP);
    assert.equal(Person.Profile["Birthday"] === undefined, false);
    const fresh = await stage.kith.person();
    const path = `/people/${fresh.record.ID}/profile`;
    assert.equal((await fresh.get<Rec>(path))["Birthday"], null);
  },
  [convention(4)]: async (stage) => {
    for (let n = 0; n < 11; n += 1) await stage.post(stage.ann);
    const page = (query: Record<string, number>) =>
      stage.ann.get<Rec[]>("/posts", query);
    const first = await page({});
    assert.equal(first.length, 10);
    const times = first.map(({ CreatedAt }) => CreatedAt);
    assert.deepEqual(times, times.toSorted().toReversed());
    const [next] = await page({ offset: 1, limit: 1 });
    assert.equal(next?.Guid, first[1]?.Guid);
    assert.equal((await page({ limit: 11 })).length, 11);
    for (const limit of [0, 101])
      await stage.ann.badRequest("GET", "/posts", { query: { limit } });
  },
  [convention(5)]: async (stage) => {
    const { ann } = stage;
    const post = await stage.post(ann);
    const query = { fields: "ID,Nothing,Person(ID:Profile(ID:ImageUrl))" };
    const { ID, Profile } = ann.record;
    const image = { ID: Profile.ID, ImageUrl: Profile.ImageUrl };
    const cut = { ID: post.ID, Person: { ID, Profile: image } };
    assert.deepEqual(await ann.get(`/posts/${post.ID}`, query), cut);
    const [first] = await ann.get<Rec[]>("/posts", query);
    assert.deepEqual(first, cut);
    for (const fields of ["(", "ID,", "Person(ID,Guid)"])
      await ann.badRequest("GET", "/posts", { query: { fields } });
  },
  [convention(6)]: async (stage) => {
    const { ann } = stage;
    const post = await stage.post(ann);
    const comment = await stage.comment(ann, post);
    const reshare = await stage.bob.post<Rec>(`/posts/${post.ID}/reshare`);
    const ids = [post.ID, comment.ID, reshare.ID];
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(ids).size, 3);
    const slot = Math.floor(post.ID / 4096);
    const hundredths = Math.floor(Date.parse(post.CreatedAt) / 10);
    assert.ok(Math.abs(slot - hundredths) < 100, `${slot} ${hundredths}`);
    assert.equal(Math.floor(post.ID / 1024) % 4, 0, "a post");
    assert.equal(Math.floor(comment.ID / 1024) % 4, 1, "a comment");
    assert.ok(stage.friends.ID === 1, "the first aspect of the server");
  },
  [convention(7)]: async (stage) => {
    assert.match((await stage.post(stage.ann)).Guid, OWN_GUID);
    await stage.ann.notFound("GET", "/posts/too-short");
  },
  [convention(8)]: async ({ ann }) => {
    for (const query of [{ offset: "-1" }, { offset: "abc" }])
      await ann.badRequest("GET", "/posts", { query });
    const large = { form: { post: "x".repeat(2_000_000) } };
    const message = "Request body too large";
    await ann.refused("POST", "/posts", large, 413, message);
    const headers = { "content-type": "text/csv", "accept-language": "de" };
    const csv = { json: "x", headers };
    const unsupported = "Unsupported media type";
    await ann.refused("POST", "/posts", csv, 415, unsupported);
  },
  [convention(9)]: async (stage) => {
    const { bob, cam } = stage;
    const { ID, Guid } = await stage.privatePost();
    const secret = await cam.call("GET", `/posts/${Guid}`);
    const missing = await cam.call("GET", `/posts/${NOWHERE}`);
    assert.deepEqual(
      [secret.status, secret.text],
      [missing.status, missing.text],
    );
    const comment = await stage.comment(stage.ann, { ID } as Rec);
    await bob.notFound("DELETE", `/comments/${comment.Guid}`);
  },
  [convention(10)]: unserved,
};
