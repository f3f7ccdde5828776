import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { runPersonCommand } from "../../src/cli/commands/moderation/person-commands.ts";
import { runReportsCommand } from "../../src/cli/commands/moderation/report-commands.ts";
import { visitor } from "../support/pages/visit.ts";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod } from "../support/remote/diaspora-pod.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { actorOf, objectOf } from "../support/remote/linked-data.ts";
import { podPost } from "../support/remote/pod-entities.ts";
import { idOf } from "../support/remote/proving-actor.ts";
import { RemoteServer } from "../support/remote/remote-server.ts";
import { befriend, seen } from "../support/remote/several-servers.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

type Report = {
  readonly ID: number;
  readonly Text: string;
  readonly Category: string;
  readonly TargetType: string;
  readonly Forwarded: boolean;
  readonly Open: boolean;
};
type AdminReport = Report & {
  readonly Evidence: string | null;
  readonly Objects: readonly string[];
  readonly Host: string;
  readonly Person: { readonly Author: string } | null;
  readonly Reporter: { readonly Author: string } | null;
  readonly Assignee: string | null;
  readonly Resolution: string | null;
  readonly Resolver: string | null;
  readonly Notes: readonly { readonly By: string; readonly Text: string }[];
};

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let pod: DiasporaPod;
  let keeper: TestPerson;
  let ann: TestPerson;
  let ben: TestPerson;
  before(async () => {
    [remote, pod] = await Promise.all([
      RemoteServer.start(),
      DiasporaPod.start(),
    ]);
    keeper = await kith().person({ handle: "keeper", role: "moderator" });
    ann = await kith().person({ handle: "ann" });
    ben = await kith().person({ handle: "ben" });
  });
  after(() => Promise.all([remote.close(), pod.close()]));

  const publish = (by: TestPerson, post: string, more = {}) =>
    by.post<PostRecord>("/posts", { post, ...more });
  const show = ({ ID }: Report) =>
    keeper.get<AdminReport>(`/admin/reports/${ID}`);
  const countReports = async () =>
    (await kith().db.read.selectFrom("reports").select("id").execute()).length;
  const actions = async (id: number) =>
    (
      await kith()
        .db.read.selectFrom("audit_log")
        .select("action")
        .where("target", "=", String(id))
        .orderBy("id")
        .execute()
    ).map((row) => row.action);

  test("a post is reported once until it is dealt with, with its text as it was", async () => {
    const post = await publish(ann, "buy now");
    const report = { post_id: post.ID, text: "spam!", category: "spam" };
    const made = await Promise.all(
      [1, 2, 3].map(() => ben.post<Report>("/reports", report)),
    );
    assert.equal(new Set(made.map(({ ID }) => ID)).size, 1);
    const [one] = made;
    assert.ok(one);
    assert.deepEqual(
      [one.Text, one.Category, one.TargetType, one.Forwarded, one.Open],
      ["spam!", "spam", "Post", false, true],
    );
    await ann.delete(`/posts/${post.Guid}`);
    const shown = await show(one);
    assert.equal(shown.Evidence, "buy now");
    assert.equal(shown.Person?.Author, ann.handle);
    assert.equal(shown.Reporter?.Author, ben.handle);
    const other = await keeper.post<Report>("/reports", {
      person_id: ann.record.ID,
    });
    assert.notEqual(other.ID, one.ID);
    assert.equal(other.TargetType, "Person");
  });

  test("an invisible object cannot be reported, and is answered like a missing one", async () => {
    const { ID } = await ann.post<{ ID: number }>("/aspects", { name: "few" });
    const secret = await publish(ann, "for few", { aspectID: ID });
    const said = await ann.post<CommentRecord>(
      `/posts/${secret.Guid}/comments`,
      { comment: "among us" },
    );
    const before = await countReports();
    const ask = async (form: Record<string, string | number>) =>
      ben.call("POST", "/reports", { form });
    const absent = await ask({ post_id: 999_999 });
    assertError(absent, 404, "Not found", "absent");
    for (const form of [
      { post_id: secret.ID },
      { comment_id: said.ID },
      { comment_id: 999_999 },
      { person_id: 999_999 },
    ]) {
      const answer = await ask(form);
      assert.deepEqual([answer.status, answer.text], [404, absent.text]);
    }
    for (const form of [
      {},
      { person_id: ann.record.ID, post_id: secret.ID },
      { person_id: ben.record.ID },
      { person_id: ann.record.ID, category: "boring" },
      { person_id: ann.record.ID, text: "x".repeat(5_001) },
    ])
      assert.equal((await ask(form)).status, 400, JSON.stringify(form));
    assert.equal(await countReports(), before);
    const own = await ann.call("POST", "/reports", {
      form: { post_id: secret.ID },
    });
    assert.equal(own.status, 400);
  });

  test("a person has a daily limit of reports", async () => {
    const busy = await kith().person();
    const { moderation, people } = kith().server.features;
    const person = await people.find({ handle: busy.handle });
    assert.ok(person?.userId);
    const by = {
      userId: person.userId,
      personId: person.id,
      username: busy.username,
      role: "user",
    } as const;
    const post = await publish(ann, "again and again");
    const report = () =>
      moderation.report({
        by,
        target: { kind: "post", key: { guid: post.Guid } },
        text: "",
        category: "other",
        forward: false,
      });
    for (let n = 0; n < 50; n += 1) {
      const { id } = await report();
      await moderation.resolve(null, id, "no");
    }
    await assert.rejects(report, /Many reports/);
    kith().clock.advance(25 * 3_600_000);
    assert.ok(await report());
  });

  test("moderators take, note, close and open a report, each act written down", async () => {
    const made = await ben.post<Report>("/reports", {
      person_id: ann.record.ID,
      text: "rude",
    });
    const path = `/admin/reports/${made.ID}`;
    const listed = async (state: string) =>
      (await keeper.get<AdminReport[]>("/admin/reports", { state, limit: 100 }))
        .map(({ ID }) => ID)
        .includes(made.ID);
    assert.equal(await listed("open"), true);
    for (const who of [ann, ben, kith().anonymous])
      assert.ok([401, 403].includes((await who.call("GET", path)).status));
    for (let times = 0; times < 2; times += 1)
      await keeper.put(`${path}/assignment`);
    await keeper.post(`${path}/notes`, { text: "asked her" });
    for (let times = 0; times < 2; times += 1)
      await keeper.put(`${path}/resolution`, { text: "warned" });
    const closed = await show(made);
    assert.deepEqual(
      [closed.Assignee, closed.Resolution, closed.Resolver, closed.Open],
      ["keeper", "warned", "keeper", false],
    );
    assert.deepEqual(
      closed.Notes.map(({ By, Text }) => [By, Text]),
      [["keeper", "asked her"]],
    );
    assert.deepEqual(
      [await listed("open"), await listed("closed")],
      [false, true],
    );
    await keeper.delete(`${path}/resolution`);
    await keeper.delete(`${path}/assignment`);
    assert.equal((await show(made)).Open, true);
    await keeper.put(`${path}/resolution`);
    await ben.post<Report>("/reports", { person_id: ann.record.ID });
    const twice = await keeper.call("DELETE", `${path}/resolution`);
    assertError(twice, 409, "Conflict", "it was reported anew");
    assert.deepEqual(await actions(made.ID), [
      "report.assign",
      "report.note",
      "report.resolve",
      "report.reopen",
      "report.unassign",
      "report.resolve",
    ]);
    await keeper.notFound("PUT", "/admin/reports/999999/resolution");
    const { OpenReports } = await keeper.get<{ OpenReports: number }>(
      "/admin/overview",
    );
    assert.ok(OpenReports > 0);
  });

  test("the reported person's server is notified by this server, without the reporter's name", async () => {
    const gail = remote.actor("gail");
    await befriend(ben, gail.handle);
    await kith().settle();
    const note = gail.note({ content: "<p>awful</p>" });
    const create = { to: [PUBLIC], cc: [], object: note };
    await gail.deliver(kith(), gail.activity("Create", create));
    const { posts } = kith().server.features;
    const post = await posts.find({ uri: idOf(note) });
    assert.ok(post);
    const form = { post_id: post.id, text: "awful indeed", forward: true };
    const made = await ben.post<Report>("/reports", form);
    assert.equal(made.Forwarded, true);
    await ben.post<Report>("/reports", form);
    await kith().settle();
    const flags = remote.ofType("Flag").map(({ activity }) => activity);
    assert.equal(flags.length, 1);
    const [flag = {}] = flags;
    assert.equal(flag["actor"], `${kith().baseUrl}/api/v1/ap/instance`);
    assert.deepEqual(flag["object"], [gail.id, idOf(note)]);
    assert.equal(flag["content"], "awful indeed");
    assert.ok(!JSON.stringify(flag).includes("ben"));
    assert.ok(!JSON.stringify(flag).includes(post.guid));
    // Taken away here, it does not come back.
    await keeper.delete(`/admin/reports/${made.ID}/target`);
    await keeper.delete(`/admin/reports/${made.ID}/target`);
    assert.equal((await ben.call("GET", `/posts/${post.guid}`)).status, 404);
    await gail.deliver(kith(), gail.activity("Create", create));
    assert.equal(await posts.find({ uri: idOf(note) }), undefined);
    assert.equal((await show(made)).Evidence, "awful");
    assert.deepEqual(await actions(made.ID), ["report.remove"]);
    assert.deepEqual(remote.ofType("Delete"), []);
  });

  test("diaspora* has no reports: the answer says that it was not forwarded", async () => {
    const gus = pod.person("gus");
    await befriend(ben, gus.handle);
    await kith().settle();
    const post = podPost(gus);
    await gus.deliver(kith(), post);
    const { ID } = await ben.get<PostRecord>(`/posts/${post.guid}`);
    const sent = pod.posted.length;
    const made = await ben.post<Report>("/reports", {
      post_id: ID,
      forward: true,
    });
    assert.equal(made.Forwarded, false);
    await kith().settle();
    assert.equal(pod.posted.length, sent);
  });

  test("a reported text from here is deleted everywhere, in its author's name", async () => {
    const follower = remote.actor("reader");
    const object = actorOf(kith(), ann.username);
    await follower.deliver(kith(), follower.activity("Follow", { object }));
    const post = await publish(ann, "libel");
    const other = await publish(ann, "fine");
    const said = await ben.post<CommentRecord>(
      `/posts/${other.Guid}/comments`,
      {
        comment: "libel, too",
      },
    );
    await kith().settle();
    for (const form of [{ post_id: post.ID }, { comment_id: said.ID }]) {
      const by = "post_id" in form ? ben : ann;
      const { ID } = await by.post<Report>("/reports", form);
      await keeper.delete(`/admin/reports/${ID}/target`);
    }
    await kith().settle();
    assert.equal((await ann.call("GET", `/posts/${post.Guid}`)).status, 404);
    const left = await ann.get<PostRecord>(`/posts/${other.Guid}`);
    assert.deepEqual([left.CommentsCount, left.Text], [0, "fine"]);
    const gone = remote
      .ofType("Delete")
      .map(({ activity }) => (activity["object"] as JsonObject)["id"]);
    assert.ok(gone.includes(objectOf(kith(), post.Guid)));
    const alone = await ben.post<Report>("/reports", {
      person_id: ann.record.ID,
    });
    const nothing = await keeper.call(
      "DELETE",
      `/admin/reports/${alone.ID}/target`,
    );
    assert.equal(nothing.status, 400);
  });

  test("a Flag of another server names its post, whose text is kept if it is public", async () => {
    const { ID } = await ann.post<{ ID: number }>("/aspects", { name: "two" });
    const open = await publish(ann, "in the open");
    const secret = await publish(ann, "not in the open", { aspectID: ID });
    const teller = remote.actor("teller");
    for (const { Guid } of [open, secret])
      await teller.deliver(
        kith(),
        teller.activity("Flag", {
          content: "look",
          object: [actorOf(kith(), "ann"), objectOf(kith(), Guid)],
        }),
      );
    const [second, first] = await keeper.get<AdminReport[]>("/admin/reports");
    assert.deepEqual(
      [first?.Evidence, first?.TargetType, first?.Reporter],
      ["in the open", "Post", null],
    );
    assert.deepEqual(
      [second?.Evidence, second?.TargetType, second?.Objects.length],
      [null, "Person", 2],
    );
    assert.equal(second?.Host, new URL(remote.origin).host);
  });

  test("a Flag from elsewhere is no longer than a report from here may be", async () => {
    const teller = remote.actor("talker");
    const object = actorOf(kith(), "ann");
    const flag = teller.activity("Flag", {
      content: "😀".repeat(100_000),
      object: [object, `${object}?${"x".repeat(100_000)}`],
    });
    await teller.deliver(kith(), flag);
    const [report] = await keeper.get<AdminReport[]>("/admin/reports");
    assert.equal(report?.Text, "😀".repeat(5_000));
    assert.deepEqual(report.Objects, [object]);
  });

  test("on pages: a form for signed-in people, and the reported text for moderators", async () => {
    const post = await publish(ann, "<b>bold</b> claims");
    const page = visitor(kith().baseUrl);
    const nobody = await page.get(`/posts/${post.Guid}`);
    assert.ok(!nobody.text.includes("/report?"));
    const signIn = async (who: TestPerson) => {
      const visiting = visitor(kith().baseUrl);
      const { username } = who;
      await visiting.post("/users/sign_in", { username, password: PASSWORD });
      return visiting;
    };
    const bens = await signIn(ben);
    const tokenIn = (text: string) =>
      /name="csrf_token"\s+value="([^"]+)"/.exec(text)?.[1] ?? "";
    assert.ok(
      (await bens.get(`/posts/${post.Guid}`)).text.includes(
        `/report?post=${post.Guid}`,
      ),
    );
    const form = await bens.get(`/report?post=${post.Guid}`);
    const csrf_token = tokenIn(form.text);
    const filled = { post: post.Guid, category: "legal", text: "<i>liar</i>" };
    assert.equal((await bens.post("/report", filled)).status, 403);
    const sent = await bens.post("/report", { ...filled, csrf_token });
    assert.equal(sent.status, 200);
    assert.match(sent.text, /Thank you/);
    const hidden = { ...filled, post: "0".repeat(32), csrf_token };
    assert.equal((await bens.post("/report", hidden)).status, 404);
    const keepers = await signIn(keeper);
    assert.match((await keepers.get("/admin")).text, /Reports: \d+/);
    const list = await keepers.get("/admin/reports");
    const id = /reports\?id=(\d+)/.exec(list.text)?.[1] ?? "";
    const report = await keepers.get(`/admin/reports?id=${id}`);
    assert.ok(report.text.includes("&lt;b&gt;bold&lt;/b&gt; claims"));
    assert.ok(report.text.includes("&lt;i&gt;liar&lt;/i&gt;"));
    const act = async (path: string, fields: Record<string, string>) =>
      keepers.post(path, { ...fields, csrf_token: tokenIn(report.text) });
    assert.equal((await act("/admin/reports/take", { id })).status, 302);
    const done = await act("/admin/reports/resolve", { id, text: "seen" });
    assert.equal(done.headers.get("location"), `/admin/reports?id=${id}`);
    const personId = String(ann.record.ID);
    const decided = { id: personId, reason: "lies" };
    await act("/admin/people/silence", decided);
    const found = await keepers.get("/admin/people?handle=ann");
    assert.match(found.text, /silenced/);
    assert.match(found.text, /lies/);
    await act("/admin/people/unsilence", { id: personId });
    const own = { id: String(keeper.record.ID) };
    const refused = await act("/admin/people/suspend", own);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /not yours to decide/);
  });

  test("the commands show and decide the same", async () => {
    const { moderation, suspensions } = kith().server.features;
    const { ID } = await ben.post<Report>("/reports", {
      post_id: (await publish(ann, "two\nlines")).ID,
      text: "see",
    });
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const reports = (...words: string[]) =>
      runReportsCommand(moderation, words, write);
    await reports("list");
    assert.ok(lines.some((line) => line.startsWith(`${ID}\t`)));
    lines.length = 0;
    await reports("show", String(ID));
    assert.ok(lines.includes("Text: two lines"), lines.join("|"));
    await reports("resolve", String(ID), "all", "well");
    const { Resolution, Resolver } = await show({ ID } as Report);
    assert.deepEqual([Resolution, Resolver], ["all well", "command line"]);
    await assert.rejects(reports("show", "no"), /not the number/);
    await assert.rejects(reports("resolve", "999999", "x"), /No such report/);
    await assert.rejects(reports("resolve", String(ID)), /words are missing/);
    await assert.rejects(reports("resolve", String(ID), "x"), /closed already/);
    const person = (words: string[], reason?: string) =>
      runPersonCommand({ suspensions }, words, { reason }, write);
    lines.length = 0;
    await person(["suspend", "ann"], "so be it");
    await person(["suspend", ann.handle]);
    await person(["show", "@ann"]);
    assert.deepEqual(lines.slice(0, 2), ["Done.", "Nothing has changed."]);
    assert.match(lines.join("\n"), /suspended since .*: so be it/);
    await person(["unsuspend", "ann"]);
    await assert.rejects(person(["suspend", "nobody"]), /There is no person/);
    await assert.rejects(person(["destroy", "ann"]), /kith person/);
    assert.ok(await seen(ben, ann.handle));
  });
});
