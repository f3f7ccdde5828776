import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { remotePerson, remotePost } from "../support/remote/remote-people.ts";
import type {
  AspectRecord,
  MembershipRecord,
  PostRecord,
} from "../support/server/wire.ts";

const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const signUp = async (username: string) => {
    const form = { username, password: PASSWORD, confirm: PASSWORD };
    const response = await fetch(`${kith().baseUrl}/users/sign_up`, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { accept: "application/json" },
      redirect: "manual",
    });
    await response.arrayBuffer();
    return response.status;
  };

  test("one name is given once", async () => {
    const statuses = await times(20, (n) => signUp(n % 2 ? "twin" : "TWIN"));
    assert.deepEqual(statuses.toSorted(), [
      302,
      ...Array.from({ length: 19 }, () => 422),
    ]);
    const { db } = kith();
    const users = await db.read.selectFrom("users").select("id").execute();
    const people = await db.read.selectFrom("people").select("id").execute();
    const keys = await db.read.selectFrom("user_keys").selectAll().execute();
    assert.deepEqual([users.length, people.length, keys.length], [1, 1, 1]);
    await kith().token("twin");
  });

  test("a program gets one token", async () => {
    const tokens = await times(20, () => kith().token("twin", "parallel"));
    assert.equal(new Set(tokens.map(({ token }) => token)).size, 1);
    assert.equal(new Set(tokens.map(({ ID }) => ID)).size, 1);
    const others = await times(5, (n) => kith().token("twin", `client ${n}`));
    assert.equal(new Set(others.map(({ token }) => token)).size, 5);
  });

  test("a person is added to an aspect once, with one notification", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const { ID } = await ann.post<AspectRecord>("/aspects", { name: "a" });
    const path = `/people/${bob.record.ID}/aspects/${ID}`;
    const made = await times(20, () => ann.post<MembershipRecord>(path));
    assert.equal(new Set(made.map((it) => it.ID)).size, 1);
    await kith().settle();
    const notifications = await bob.get<unknown[]>("/notifications");
    assert.equal(notifications.length, 1);
    const left = await times(20, () => ann.call("DELETE", path));
    const done = left.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    assert.ok(left.every(({ status }) => status === 200 || status === 404));
  });

  test("a person in and out of aspects at once ends as its memberships say", async () => {
    const [cam, dan] = [await kith().person(), await kith().person()];
    const aspects = await times(3, () =>
      cam.post<AspectRecord>("/aspects", { name: "a" }),
    );
    for (let round = 0; round < 5; round++) {
      await times(24, (n) => {
        const path = `/people/${dan.record.ID}/aspects/${aspects[n % 3]?.ID}`;
        return cam.call(n % 2 ? "DELETE" : "POST", path);
      });
      const list = await cam.get<AspectRecord[]>("/aspects");
      const isMember = list.some(({ Memberships }) => Memberships.length > 0);
      const contact = await kith()
        .db.read.selectFrom("contacts")
        .select("following")
        .where("person_id", "=", dan.record.ID)
        .executeTakeFirst();
      assert.equal(Boolean(contact?.following), isMember);
    }
  });

  test("the old password does not sign in while it is changed", async () => {
    const { accounts, administration } = kith().server.features;
    await kith().signUp("eve");
    const reset = (password: string) =>
      administration.resetPassword(null, { username: "eve" }, password);
    for (let round = 0; round < 8; round++) {
      const [old, next] = [`password ${round}`, `password ${round + 1}`];
      await reset(old);
      const grant = { username: "eve", password: old, clientId: "x" };
      const results = await Promise.allSettled([
        accounts.issueToken(grant),
        reset(next),
        accounts.signIn("eve", old),
      ]);
      const [issued, , session] = results;
      if (issued.status === "fulfilled")
        assert.equal(
          await accounts.authenticate(issued.value.token),
          undefined,
        );
      if (session.status === "fulfilled" && session.value !== undefined)
        assert.equal(
          await accounts.findSession(session.value.secret),
          undefined,
        );
    }
  });

  test("a post from elsewhere that comes ten times is stored once", async () => {
    const fay = await remotePerson(kith(), "fay@remote.example");
    const { posts } = kith().server.features;
    const { handle } = await kith().person();
    const post = remotePost(fay, { text: `Hello @{${handle}}` });
    const received = await times(10, () => posts.receive(post));
    const kinds = received.map((it) => it.kind).toSorted();
    assert.deepEqual(kinds, [
      ...Array.from({ length: 9 }, () => "known"),
      "stored",
    ]);
    const { db } = kith();
    const stored = await db.read
      .selectFrom("posts")
      .select("id")
      .where("guid", "=", post.guid)
      .execute();
    assert.equal(stored.length, 1);
    const jobs = await db.read
      .selectFrom("jobs")
      .select("id")
      .where("payload", "like", `%${stored[0]?.id}%`)
      .execute();
    assert.equal(jobs.length, 1);
  });

  test("comments and likes on a post that is deleted meanwhile are refused, not failed", async () => {
    const [gil, hal] = [await kith().person(), await kith().person()];
    for (let round = 0; round < 10; round++) {
      const { Guid } = await gil.post<PostRecord>("/posts", { post: "x" });
      const path = `/posts/${Guid}`;
      const form = { comment: "x" };
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, () =>
          hal.call("POST", `${path}/comments`, { form }),
        ),
        gil.call("DELETE", path),
        hal.call("POST", `${path}/likes`),
        gil.call("POST", `${path}/likes/false`),
        hal.call("DELETE", path),
      ]);
      for (const { status, text } of answers)
        assert.ok(status === 200 || status === 404, `${status} ${text}`);
    }
  });

  test("tokens are deleted and made at once without a fault", async () => {
    const ida = await kith().person({ handle: "ida" });
    const spare = await kith().token("ida", "spare");
    const path = `/oauth/tokens/${spare.ID}`;
    const [issued, deleted] = await Promise.all([
      times(10, () => kith().token("ida", "spare")),
      times(10, () => ida.call("DELETE", path)),
    ]);
    for (const { token } of issued) assert.match(token, /^[0-9a-f]{64}$/);
    const done = deleted.filter(({ status }) => status === 200);
    assert.ok(done.length <= 1);
    assert.ok(deleted.every(({ status }) => status === 200 || status === 404));
    const last = await kith().token("ida", "spare");
    await kith().anonymous.with(last.token).get("/posts");
  });
});
