import assert from "node:assert/strict";
import { test } from "node:test";
import { LEAVE } from "../../src/features/leaving/index.ts";
import { AFTER_DELIVERIES_MS } from "../../src/federation/leaving-steps.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { tracesOf } from "../support/server/traces.ts";
import type {
  AspectRecord,
  CommentRecord,
  PostRecord,
} from "../support/server/wire.ts";

const right = { form: { password: PASSWORD } };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const leave = async (who: TestPerson) => {
    const answer = await who.call("DELETE", "/users", right);
    assert.equal(`${answer.status} ${answer.text}`, "200 {}");
  };

  const follow = async (by: TestPerson, id: number): Promise<number> => {
    const aspect = await by.post<AspectRecord>("/aspects", { name: "a" });
    await by.post(`/people/${id}/aspects/${aspect.ID}`);
    return aspect.ID;
  };

  const statusOf = async (path: string, accept = "text/html") => {
    const response = await fetch(kith().baseUrl + path, {
      headers: { accept },
      redirect: "manual",
    });
    return { status: response.status, text: await response.text() };
  };

  /** A person with data of every kind. */
  const busyPerson = async () => {
    const who = await kith().person();
    const friend = await kith().person();
    const aspectID = await follow(who, friend.record.ID);
    const back = await follow(friend, who.record.ID);
    for (const sent of [
      { post: `public @{${friend.handle}}` },
      { post: "closed", aspectID },
    ]) {
      const post = await who.post<PostRecord>("/posts", sent);
      const path = `/posts/${post.Guid}`;
      await friend.post(`${path}/comments`, { comment: "from a friend" });
      await friend.post(`${path}/likes`);
    }
    const post = await friend.post<PostRecord>("/posts", { post: "theirs" });
    const path = `/posts/${post.Guid}`;
    const comment = { comment: `hello @{${friend.handle}}` };
    await who.post<CommentRecord>(`${path}/comments`, comment);
    await who.post(`${path}/likes`);
    await who.post(`${path}/reshare`);
    const limited = { post: "for you", aspectID: back };
    const hidden = await friend.post<PostRecord>("/posts", limited);
    await who.delete(`/posts/${hidden.Guid}`);
    const bore = await kith().person();
    await who.post(`/people/${bore.record.ID}/block`);
    await bore.post(`/people/${who.record.ID}/ignore`);
    await who.put("/profile", { FirstName: "Busy", Bio: "secret" });
    await kith().settle();
    return { who, friend, path };
  };

  test("a deleted account is gone at once, and all of its data soon after", async () => {
    const { who, friend, path } = await busyPerson();
    const { ID, UserID, Guid } = who.record;
    assert.notDeepEqual(await tracesOf(kith(), ID, UserID), []);
    await leave(who);
    await who.unauthorized("GET", "/aspects");
    const form = { grant_type: "password", client_id: "x", ...right.form };
    const again = { ...form, username: who.username };
    await kith().anonymous.refused(
      "POST",
      "/oauth/tokens",
      { form: again },
      404,
      "User not found",
    );
    await friend.notFound("GET", `/people/${Guid}`);
    await kith().settle();
    assert.deepEqual(await tracesOf(kith(), ID, UserID), []);
    const post = await friend.get<PostRecord>(path);
    assert.equal(post.CommentsCount, 0);
    assert.equal(post.LikesCount, 0);
    assert.equal(post.ResharesCount, 0);
    assert.deepEqual(await friend.get("/notifications"), []);
    const person = await kith().server.features.people.find({
      id: ID,
    });
    assert.equal(person?.profile.bio, "");
    assert.equal(person.profile.fullName, "");
    assert.equal((await friend.get<AspectRecord[]>("/aspects")).length, 1);
  });

  test("other servers and visitors no longer find the person", async () => {
    const who = await kith().person();
    const actor = `/api/v1/ap/person/${who.username}`;
    assert.equal((await statusOf(actor)).status, 200);
    await leave(who);
    for (const path of [
      `/u/${who.username}`,
      `/people/${who.record.Guid}`,
      `/hcard/users/${who.record.Guid}`,
      `/.well-known/webfinger?resource=acct:${who.handle}`,
      `${actor}/outbox`,
      `${actor}/followers`,
    ])
      assert.equal((await statusOf(path)).status, 404, path);
    for (const path of [
      actor,
      `${actor}/actor`,
      `/api/v0/ap/user/${who.username}/actor`,
    ]) {
      const { status, text } = await statusOf(path);
      assert.equal(status, 410, path);
      const { type, formerType, id } = JSON.parse(text) as Record<
        string,
        unknown
      >;
      assert.deepEqual(
        { type, formerType, id },
        {
          type: "Tombstone",
          formerType: "Person",
          id: kith().baseUrl + actor,
        },
      );
      assert.doesNotMatch(text, /publicKey/);
    }
  });

  test("a name is never given again", async () => {
    const who = await kith().person();
    await leave(who);
    await kith().settle();
    kith().clock.advance(AFTER_DELIVERIES_MS);
    await kith().settle();
    const { username } = who;
    const response = await fetch(`${kith().baseUrl}/users/sign_up`, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams({
        username,
        password: PASSWORD,
        confirm: PASSWORD,
      }),
      redirect: "manual",
    });
    assert.equal(response.status, 422);
    await response.text();
  });

  test("without the right password nothing happens", async () => {
    const who = await kith().person();
    const wrong = { form: { password: "wrong horse" } };
    await who.unauthorized("DELETE", "/users", wrong);
    await who.blank("DELETE", "/users");
    await who.blank("DELETE", "/users", { form: { password: " " } });
    await kith().anonymous.unauthorized("DELETE", "/users", right);
    assert.deepEqual(await who.get("/aspects"), []);
  });

  test("of many deletions at once one takes effect", async () => {
    const who = await kith().person();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => who.call("DELETE", "/users", right)),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [200, ...Array<number>(7).fill(401)]);
    const jobs = await kith()
      .db.read.selectFrom("jobs")
      .select("id")
      .where("kind", "=", LEAVE.name)
      .where("payload", "like", `%"personId":${who.record.ID},%`)
      .where("state", "=", "ready")
      .where("run_at", "<=", kith().clock.now().toISOString())
      .execute();
    assert.equal(jobs.length, 1);
    await kith().settle();
  });
});
