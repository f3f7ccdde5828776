import assert from "node:assert/strict";
import { readConfig } from "../../../packages/server/src/config/config.ts";
import { assertError } from "../../../packages/server/test/support/server/api-client.ts";
import { activityPubRows, lastSeen } from "./rows-activitypub.ts";
import { peopleRows } from "./rows-people.ts";
import {
  needsToken,
  NOWHERE,
  type Rec,
  type Rows,
  type RowTest,
} from "../stage.ts";

const authentication = (n: number) => `service-api/Authentication/rule ${n}`;
/** A rule covered by the test of another row. */
const shownBy = (rows: Rows, id: string): RowTest => {
  const run = rows[id];
  if (!run) throw new Error(`There is no row ${id}`);
  return run;
};

export const unserved: RowTest = async ({ ann, kith }) => {
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

export const tokenPlaces: RowTest = async ({ ann, bob, kith }) => {
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
};
