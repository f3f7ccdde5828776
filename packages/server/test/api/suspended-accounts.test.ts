import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { visitor } from "../support/pages/visit.ts";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, postTo } from "../support/remote/diaspora-pod.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { actorOf, objectOf } from "../support/remote/linked-data.ts";
import { idOf } from "../support/remote/proving-actor.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import { befriend } from "../support/remote/several-servers.ts";
import type { PostRecord } from "../support/server/wire.ts";

type AdminPerson = {
  readonly ID: number;
  readonly Suspended: boolean;
  readonly SuspensionReason: string;
  readonly Silenced: boolean;
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let pod: DiasporaPod;
  let keeper: TestPerson;
  let boss: TestPerson;
  before(async () => {
    [remote, pod] = await Promise.all([
      RemoteServer.start(),
      DiasporaPod.start(),
    ]);
    keeper = await kith().person({ handle: "keeper", role: "moderator" });
    boss = await kith().person({ handle: "boss", role: "admin" });
  });
  after(() => Promise.all([remote.close(), pod.close()]));

  const suspension = ({ record }: TestPerson) =>
    `/admin/people/${record.ID}/suspension`;
  const acts = async (action: string, target: string) =>
    (
      await kith()
        .db.read.selectFrom("audit_log")
        .select("by_name")
        .where("action", "=", action)
        .where("target", "=", target)
        .execute()
    ).map((row) => row.by_name);
  const status = async (path: string, accept = "text/html") =>
    (await fetch(kith().baseUrl + path, { headers: { accept } })).status;

  /** A person with a post, a comment on ann's, and followers over both protocols. */
  async function somebody() {
    const who = await kith().person();
    const ann = await kith().person();
    const gail = remote.actor(`gail_${who.username}`);
    const gus = pod.person(`gus_${who.username}`);
    await befriend(ann, who.handle);
    await befriend(who, gus.handle);
    const follow = { object: actorOf(kith(), who.username) };
    await gail.deliver(kith(), gail.activity("Follow", follow));
    const post = await who.post<PostRecord>("/posts", { post: "by #who" });
    const annsPost = await ann.post<PostRecord>("/posts", { post: "by ann" });
    const said = { comment: "said by who" };
    await who.post(`/posts/${annsPost.Guid}/comments`, said);
    await kith().settle();
    return { who, ann, gail, gus, post, annsPost };
  }

  /** Its data as visible to others. */
  async function shown({
    who,
    ann,
    post,
    annsPost,
  }: Awaited<ReturnType<typeof somebody>>) {
    const { username, record, handle } = who;
    const activity = "application/activity+json";
    const outbox = new URL(`${actorOf(kith(), username)}/outbox`).pathname;
    const own = await ann.get<PostRecord>(`/posts/${annsPost.Guid}`);
    const stream = await ann.get<PostRecord[]>("/posts");
    return {
      post: (await ann.call("GET", `/posts/${post.Guid}`)).status,
      person: (await ann.call("GET", `/people/${record.ID}`)).status,
      found: (await ann.call("POST", "/search", { form: { handle } })).status,
      page: await status(`/posts/${post.Guid}`),
      personPage: await status(`/u/${username}`),
      object: await status(
        new URL(objectOf(kith(), post.Guid)).pathname,
        activity,
      ),
      outbox: await status(outbox, activity),
      diaspora: await status(`/fetch/post/${post.Guid}`),
      hCard: await status(`/hcard/users/${record.Guid}`),
      webFinger: await status(`/.well-known/webfinger?resource=acct:${handle}`),
      texts: stream.map(({ Text }) => Text).sort(),
      comments: own.Comments.map(({ Text }) => Text),
    };
  }

  const HIDDEN = {
    post: 404,
    person: 404,
    found: 404,
    page: 404,
    personPage: 404,
    object: 404,
    outbox: 404,
    diaspora: 404,
    hCard: 404,
    webFinger: 404,
    texts: ["by ann"],
    comments: [],
  };

  test("a suspended account is hidden, and completely restored afterwards", async () => {
    const all = await somebody();
    const { who } = all;
    const before = await shown(all);
    assert.equal(before.post, 200);
    assert.equal(before.hCard, 200);
    assert.deepEqual(before.comments, ["said by who"]);
    const reason = "threats";
    const put = await keeper.put<AdminPerson>(suspension(who), { reason });
    assert.deepEqual(
      [put.Suspended, put.SuspensionReason, put.Silenced],
      [true, reason, false],
    );
    assert.deepEqual(await shown(all), HIDDEN);
    await keeper.delete(suspension(who));
    assert.deepEqual(await shown(all), before);
  });

  test("other servers are notified over ActivityPub, hide it and show it again; over diaspora* nothing is sent", async () => {
    const { who, gail } = await somebody();
    const sent = pod.posted.length;
    const suspendedSent = () =>
      remote
        .ofType("Update")
        .map(({ activity }) => activity)
        .filter(({ actor }) => actor === actorOf(kith(), who.username))
        .map(({ object }) => (object as { suspended?: boolean }).suspended);
    await keeper.put(suspension(who));
    await kith().settle();
    assert.deepEqual(suspendedSent(), [true]);
    const actor = await gail.get(kith(), actorOf(kith(), who.username));
    assert.equal(actor.status, 200, "recipients of the notice need its key");
    const document = JSON.parse(actor.text) as Record<string, unknown>;
    assert.equal(document["suspended"], true);
    assert.ok(!("name" in document) && !("icon" in document));
    await keeper.delete(suspension(who));
    await kith().settle();
    assert.deepEqual(suspendedSent(), [true, undefined]);
    assert.equal(pod.posted.length, sent + 1, "its profile, when it is lifted");
  });

  test("signing in fails, sessions and tokens end, and only the right password shows the reason", async () => {
    const who = await kith().person();
    const { username } = who;
    const page = visitor(kith().baseUrl);
    await page.post("/users/sign_in", { username, password: PASSWORD });
    assert.equal((await page.get("/home")).status, 200);
    await keeper.put(suspension(who));
    const refused = await who.call("GET", "/posts");
    assertError(refused, 401, "Unauthorized", "its token");
    assert.equal((await page.get("/home")).status, 302);
    const grant = (password: string, username = who.username) =>
      kith().anonymous.call("POST", "/oauth/tokens", {
        form: { grant_type: "password", username, password, client_id: "x" },
      });
    assertError(await grant(PASSWORD), 403, "Account suspended", "a token");
    assertError(await grant("wrong one"), 401, "Unauthorized", "a guess");
    const right = { username, password: PASSWORD };
    const said = await page.post("/users/sign_in", right);
    assert.equal(said.status, 403);
    assert.match(said.text, /This account is suspended/);
    const wrong = { username, password: "wrong one" };
    const guessed = await page.post("/users/sign_in", wrong);
    assert.equal(guessed.status, 401);
    assert.doesNotMatch(guessed.text, /suspended/);
    await keeper.delete(suspension(who));
    assert.equal((await who.call("GET", "/posts")).status, 401);
    assert.equal((await grant(PASSWORD)).status, 200);
  });

  test("its pending deliveries are not sent, messages for it are refused, and both resume afterwards", async () => {
    const { who, gail, gus } = await somebody();
    await who.post("/posts", { post: "still in the queue" });
    await keeper.put(suspension(who));
    await kith().settle();
    const isSent = () =>
      JSON.stringify([remote.delivered, pod.posted]).includes("still in the");
    assert.equal(isSent(), false);
    assert.deepEqual(
      remote
        .ofType("Create")
        .filter(({ activity }) =>
          JSON.stringify(activity).includes("still in the queue"),
        ),
      [],
    );
    const to = `/api/v1/ap/person/${who.username}/inbox`;
    const note = gail.note({ to: [actorOf(kith(), who.username)] });
    const create = gail.activity("Create", { object: note });
    assert.equal((await gail.send(kith(), create, { to })).status, 404);
    const unchanged = await kith().snapshot();
    const path = `/receive/users/${who.record.Guid}`;
    const { SerializedPublicKey } = who.record;
    assert.match(SerializedPublicKey, /PUBLIC KEY/);
    assert.equal(await postTo(kith(), path, "{}"), 404);
    assert.deepEqual(await kith().snapshot(), unchanged);
    await keeper.delete(suspension(who));
    const { token } = await kith().token(who.username);
    await kith().anonymous.with(token).post("/posts", { post: "back again" });
    await kith().settle();
    const last = remote.ofType("Create").at(-1)?.activity;
    assert.match(JSON.stringify(last), /back again/);
    assert.ok(gus);
  });

  test("an answer to its post from elsewhere is not taken while it is suspended", async () => {
    const { who, ann, gail, post } = await somebody();
    await keeper.put(suspension(who));
    const inReplyTo = objectOf(kith(), post.Guid);
    const object = gail.note({ inReplyTo, to: [PUBLIC] });
    await gail.deliver(
      kith(),
      gail.activity("Create", { to: [PUBLIC], object }),
    );
    await gail.deliver(kith(), gail.activity("Like", { object: inReplyTo }));
    await keeper.delete(suspension(who));
    const seen = await ann.get<PostRecord>(`/posts/${post.Guid}`);
    assert.deepEqual([seen.CommentsCount, seen.LikesCount], [0, 0]);
    const { comments } = kith().server.features;
    assert.equal(await comments.find({ uri: idOf(object) }), undefined);
  });

  test("many at once are one act, and one row of the log", async () => {
    const who = await kith().person();
    const both = [keeper, boss, keeper, boss];
    await Promise.all(both.map((by) => by.put(suspension(who))));
    assert.equal((await acts("person.suspend", who.handle)).length, 1);
    await Promise.all(both.map((by) => by.delete(suspension(who))));
    assert.equal((await acts("person.unsuspend", who.handle)).length, 1);
    const signedIn = await Promise.allSettled([
      keeper.put(suspension(who)),
      kith().token(who.username),
      kith().token(who.username),
    ]);
    assert.ok(signedIn.length);
    const tokens = await kith()
      .db.read.selectFrom("access_tokens")
      .select("id")
      .where("user_id", "=", who.record.UserID)
      .execute();
    assert.deepEqual(tokens, []);
  });

  test("moderators cannot decide about moderators and admins, no one about themselves, and one admin is left", async () => {
    const other = await kith().person({ role: "moderator" });
    const chief = await kith().person({ role: "admin" });
    const refuse = async (by: TestPerson, whom: TestPerson, code: number) => {
      const unchanged = await kith().snapshot();
      for (const what of ["suspension", "silence"]) {
        const path = `/admin/people/${whom.record.ID}/${what}`;
        if (code === 409 && what === "silence") continue;
        assert.equal((await by.call("PUT", path)).status, code, what);
      }
      assert.deepEqual(await kith().snapshot(), unchanged);
    };
    await refuse(keeper, other, 403);
    await refuse(keeper, boss, 403);
    await refuse(boss, boss, 403);
    await refuse(await kith().person(), keeper, 403);
    await boss.put(suspension(other));
    await boss.delete(suspension(other));
    // Each would be the last one, had the other been first.
    const answers = await Promise.all([
      boss.call("PUT", suspension(chief)),
      chief.call("PUT", suspension(boss)),
    ]);
    const statuses = answers.map((answer) => answer.status);
    assert.ok(statuses.includes(200), String(statuses));
    assert.ok(
      statuses.some((it) => [401, 409].includes(it)),
      String(statuses),
    );
    const { suspensions } = kith().server.features;
    const winner = statuses[0] === 200 ? boss : chief;
    const loser = winner === boss ? chief : boss;
    await assert.rejects(
      suspensions.decide({
        by: null,
        personId: winner.record.ID,
        decision: "suspend",
      }),
      /last admin/,
    );
    await winner.delete(suspension(loser));
    boss = winner;
  });

  test("posts of a silenced local person are visible to contacts and themselves, in public lists to no one else", async () => {
    const { who, ann, post, gail } = await somebody();
    const stranger = await kith().person();
    const texts = async (by: TestPerson) =>
      (await by.get<PostRecord[]>("/posts", { visibility: 1, limit: 100 }))
        .map(({ Guid }) => Guid)
        .includes(post.Guid);
    const path = `/admin/people/${who.record.ID}/silence`;
    const put = await keeper.put<AdminPerson>(path);
    assert.equal(put.Silenced, true);
    assert.deepEqual(
      [await texts(who), await texts(ann), await texts(stranger)],
      [true, true, false],
    );
    assert.equal(await status(`/posts/${post.Guid}`), 200);
    const tagPage = await fetch(`${kith().baseUrl}/tags/who`);
    assert.ok(!(await tagPage.text()).includes(post.Guid));
    const delivered = remote.delivered.length;
    await who.post("/posts", { post: "still told" });
    await kith().settle();
    assert.ok(remote.delivered.length > delivered, gail.handle);
    await keeper.delete(path);
    assert.equal(await texts(stranger), true);
  });

  test("people are found by their handles, and by decisions about them", async () => {
    const who = await kith().person();
    await keeper.put(suspension(who));
    const find = async (query: Record<string, string>) =>
      (await keeper.get<AdminPerson[]>("/admin/people", query)).map(
        ({ ID }) => ID,
      );
    const { ID } = who.record;
    assert.deepEqual(await find({ handle: who.username }), [ID]);
    assert.deepEqual(await find({ handle: `@${who.handle}` }), [ID]);
    assert.deepEqual(await find({ handle: "no body" }), []);
    assert.ok((await find({ state: "suspended" })).includes(ID));
    assert.deepEqual(
      await find({ state: "silenced", handle: who.username }),
      [],
    );
    assert.ok((await find({})).includes(ID));
    const shownOne = await keeper.get<AdminPerson>(`/admin/people/${ID}`);
    assert.equal(shownOne.Suspended, true);
    await keeper.notFound("PUT", "/admin/people/999999/suspension");
    const long = { reason: "x".repeat(1_001) };
    const refused = await keeper.call("PUT", suspension(who), { form: long });
    assert.equal(refused.status, 400);
    await keeper.delete(suspension(who));
  });
});
