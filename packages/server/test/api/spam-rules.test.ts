import assert from "node:assert/strict";
import { afterEach, before, test } from "node:test";
import { PUBLIC } from "@kith/activitypub";
import { runSpamCommand } from "../../src/cli/commands/moderation/spam-commands.ts";
import {
  createForgetSpamHits,
  createSpamRules,
} from "../../src/features/spam-rules/index.ts";
import { hiddenFields, visitor } from "../support/pages/visit.ts";
import { guidOf, useHostServers } from "../support/remote/host-town.ts";
import {
  actorOf,
  objectOf,
  sendFollow,
} from "../support/remote/linked-data.ts";
import { podComment, podPost } from "../support/remote/pod-entities.ts";
import type { RemoteActor } from "../support/remote/remote-server.ts";
import { actsSince, lastAct } from "../support/scenes/crew.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, type TestPerson } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";

type Rule = {
  readonly ID: number;
  readonly Name: string;
  readonly On: boolean;
};
type Hit = {
  readonly Rule: string;
  readonly Action: string;
  readonly Type: string;
  readonly Thing: string;
  readonly Author: string;
  readonly Host: string;
};
type Report = {
  readonly Text: string;
  readonly TargetGuid: string;
  readonly Evidence?: string | null;
};

const RULES = "/admin/spam-rules";

forEachDatabase((kind) => {
  const town = useHostServers(kind);
  const { kith, good, goodPod } = town;
  let boss: TestPerson;
  let ann: TestPerson;
  before(async () => {
    boss = await kith().person({ role: "admin" });
    ann = await kith().person();
  });
  const spamRules = () => kith().server.features.spamRules;
  afterEach(async () => {
    for (const { id } of await spamRules().list())
      await spamRules().delete(null, id);
    await kith().db.transaction(async (tx) => {
      await tx.deleteFrom("spam_hits").execute();
    });
    await boss.put("/admin/server", { newcomer_days: 0 });
  });
  const rule = (form: Record<string, unknown>) =>
    boss.post<Rule>(RULES, { action: "refuse", on: true, ...form });
  const hits = async () =>
    (await boss.get<Hit[]>("/admin/spam-hits")).map(
      ({ Rule, Action, Type, Thing }) => [Rule, Action, Type, Thing],
    );
  let names = 0;
  const stranger = () => good().actor(`spam${(names += 1)}`);
  /** A public note by a stranger that mentions ann. */
  const mention = (by: RemoteActor, content: string) => {
    const href = actorOf(kith(), ann.username);
    const tag = [{ type: "Mention", href, name: `@${ann.username}` }];
    return by.note({ content, cc: [href], tag });
  };
  const create = async (
    by: RemoteActor,
    object: ReturnType<RemoteActor["note"]>,
  ) => {
    const { to = [], cc = [] } = object;
    await by.deliver(kith(), by.activity("Create", { to, cc, object }));
    await kith().settle();
  };
  const isHere = async (note: ReturnType<RemoteActor["note"]>) =>
    (await guidOf(kith(), note)) !== "0".repeat(32);

  test("a refused post of ActivityPub is answered as usual, not stored, and logged once", async () => {
    await rule({ name: "pills", phrase: "cheap pills" });
    const eve = stranger();
    const spam = mention(eve, "<p>Buy CHEAP\nPills now</p>");
    await create(eve, spam);
    await create(eve, spam);
    assert.equal(await isHere(spam), false);
    const part = mention(eve, "<p>cheap pillsbury</p>");
    await create(eve, part);
    assert.equal(await isHere(part), true, "Part of a longer word");
    assert.deepEqual(await hits(), [["pills", "refuse", "post", spam["id"]]]);
    const [hit] = await boss.get<Hit[]>("/admin/spam-hits");
    assert.equal(hit?.Author, eve.handle);
    assert.equal(hit?.Host, eve.handle.split("@")[1]);
  });

  test("followed people are never judged, in public or for few", async () => {
    await rule({ name: "links", link_host: "spam.example" });
    const gail = stranger();
    await sendFollow(kith(), ann, gail);
    const link = `<p><a href="https://a.spam.example/x">x</a></p>`;
    const note = gail.note({ content: link });
    await create(gail, note);
    assert.equal(await isHere(note), true);
    const few = { to: [actorOf(kith(), ann.username)], cc: [] };
    const own = gail.note({ content: link, ...few });
    await create(gail, own);
    assert.equal(await isHere(own), true);
    assert.deepEqual(await hits(), []);
    // For somebody who does not follow the author.
    const bob = await kith().person();
    const other = { to: [actorOf(kith(), bob.username)], cc: [] };
    const sent = gail.note({ content: link, ...other });
    await create(gail, sent);
    assert.equal(await isHere(sent), false);
  });

  test("comments of both protocols and diaspora* posts are judged, and edits", async () => {
    await rule({ name: "coins", phrase: "free coins" });
    const { Guid, ID } = await ann.post<PostRecord>("/posts", {
      post: "hello",
    });
    const eve = stranger();
    const inReplyTo = objectOf(kith(), Guid);
    const content = "<p>get free coins</p>";
    await create(eve, eve.note({ inReplyTo, content }));
    const fine = eve.note({ inReplyTo, content: "<p>nice</p>" });
    await create(eve, fine);
    const edited = { ...fine, content, updated: "2026-01-02T04:00:00Z" };
    await eve.deliver(
      kith(),
      eve.activity("Update", { to: [PUBLIC], object: edited }),
    );
    const gus = goodPod().person(`gus${names}`);
    const text = "free coins for all";
    await gus.deliver(kith(), await podComment(gus, Guid, { text }));
    await gus.deliver(kith(), await podComment(gus, Guid));
    await kith().settle();
    const comments = await ann.get<{ Text: string }[]>(`/posts/${ID}/comments`);
    assert.deepEqual(comments.map(({ Text }) => Text).sort(), [
      "a comment from a pod",
      "nice",
    ]);
    const tagged = `free coins @{${ann.username}@${new URL(kith().baseUrl).host}}`;
    const post = podPost(gus, { text: tagged });
    await gus.deliver(kith(), post);
    await kith().settle();
    assert.equal(await kith().server.features.posts.find(post), undefined);
    assert.deepEqual((await hits()).map(([, , type]) => type).sort(), [
      ...["comment", "comment", "comment", "post"],
    ]);
  });

  test("somebody who hits a rule again and again is reported five times, and each hit is logged", async () => {
    await rule({ name: "flood", phrase: "cheap pills", action: "report" });
    const eve = stranger();
    for (let n = 0; n < 7; n += 1)
      await create(eve, mention(eve, `<p>Cheap pills ${n}</p>`));
    const reports = await boss.get<Report[]>("/admin/reports");
    const ofRule = reports.filter(({ Text }) => Text === "Spam rule: flood");
    assert.equal(ofRule.length, 5);
    assert.equal((await hits()).length, 7);
    await kith().db.transaction(async (tx) => {
      await tx.deleteFrom("reports").execute();
    });
  });

  test("a report keeps no text of what is for few, and all conditions must hold", async () => {
    await rule({
      name: "new",
      phrase: "dear friend",
      action: "report",
      known_days: 2,
    });
    await rule({
      name: "alone",
      phrase: "dear friend",
      action: "note",
      no_contact: true,
      mentions: 3,
    });
    const eve = stranger();
    const open = mention(eve, "<p>Dear friend</p>");
    await create(eve, open);
    const few = { to: [actorOf(kith(), ann.username)], cc: [] };
    const secret = { ...mention(eve, "<p>dear friend, a secret</p>"), ...few };
    await create(eve, secret);
    assert.equal(await isHere(open), true);
    assert.equal(await isHere(secret), true);
    const reports = await boss.get<Report[]>("/admin/reports");
    assert.deepEqual(
      reports.map(({ Text }) => Text),
      ["Spam rule: new", "Spam rule: new"],
    );
    const rows = await kith()
      .db.read.selectFrom("reports")
      .select(["evidence", "category"])
      .orderBy("id")
      .execute();
    assert.deepEqual(
      rows.map(({ evidence }) => evidence),
      ["Dear friend", null],
    );
    const log = JSON.stringify(
      await kith().db.read.selectFrom("spam_hits").selectAll().execute(),
    );
    assert.doesNotMatch(log, /secret|friend/);
    kith().clock.advance(3 * DAY_MS);
    await create(eve, mention(eve, "<p>dear friend again</p>"));
    assert.equal((await hits()).length, 2);
  });

  test("new accounts here are refused with a reason, which is logged; others are not", async () => {
    await rule({ name: "coins", phrase: "free coins" });
    const text = { post: "free coins" };
    assert.equal(
      (await ann.call("POST", "/posts", { form: text })).status,
      200,
    );
    await boss.put("/admin/server", { newcomer_days: 30 });
    const eve = await kith().person();
    const refused = await eve.call("POST", "/posts", { form: text });
    assert.equal(refused.status, 400);
    const mine = await eve.post<PostRecord>("/posts", { post: "hello" });
    for (const [method, path, form] of [
      ["PUT", `/posts/${mine.ID}`, { post: "now free coins" }],
      ["POST", `/posts/${mine.ID}/comments`, { comment: "free coins" }],
    ] as const)
      assert.equal((await eve.call(method, path, { form })).status, 400);
    const talk = await eve.call("POST", "/conversations", {
      json: { text: "free coins", personID: [ann.record.ID] },
    });
    assert.equal(talk.status, 400);
    assert.equal((await hits()).length, 4);
    assert.equal(
      (await boss.call("POST", "/posts", { form: text })).status,
      200,
    );
  });

  test("a rehearsal shows what a rule would have hit, and changes nothing", async () => {
    const eve = stranger();
    const notes = ["<p>win a yacht</p>", "<p>no boat</p>"].map((content) =>
      mention(eve, content),
    );
    for (const note of notes) await create(eve, note);
    const { ID } = await rule({ name: "yacht", phrase: "yacht", on: false });
    const unchanged = await kith().snapshot();
    const found = await boss.get<{ Read: number; Whole: boolean; Hits: Hit[] }>(
      `${RULES}/${ID}/rehearsal`,
    );
    assert.deepEqual(
      found.Hits.map(({ Thing, Author }) => [Thing, Author]),
      // The time that its author wrote is long ago.
      [],
    );
    assert.equal(found.Whole, true);
    const all = await spamRules().rehearse(ID, 30);
    assert.ok(all.read >= found.Read);
    assert.deepEqual(await kith().snapshot(), unchanged);
    assert.deepEqual(await hits(), []);
    for (const days of [0, 31])
      await boss.badRequest("GET", `${RULES}/${ID}/rehearsal`, {
        query: { days },
      });
    const published = kith().clock.now().toISOString();
    const fresh: ReturnType<RemoteActor["note"]> = {
      ...mention(eve, "<p>a yacht, new</p>"),
      published,
    };
    await create(eve, fresh);
    const again = await spamRules().rehearse(ID, 7);
    assert.deepEqual(
      again.hits.map(({ thing }) => thing),
      [fresh["id"]],
    );
  });

  test("without rules a text costs no query, and another process learns of one", async () => {
    const { features } = kith().server;
    const { db } = kith();
    const queries: string[] = [];
    const tx = new Proxy(db.read, {
      get(target, name) {
        queries.push(String(name));
        const found = Reflect.get(target, name) as unknown;
        return typeof found === "function"
          ? (found.bind(target) as unknown)
          : found;
      },
    });
    const other = createSpamRules({
      ...{ db, clock: kith().clock, audit: features.audit },
      report: () => Promise.resolve(),
      notifyStaff: () => Promise.resolve(),
    });
    const written = {
      ...{ kind: "post", guid: "g".repeat(32), uri: null, text: "yacht" },
      personId: ann.record.ID,
      found: { tags: [], handles: [] },
      ...{ isPublic: true, readers: () => Promise.resolve([]) },
    };
    const admit = () => other.admit(tx as never, written as never);
    await admit();
    assert.equal(queries.length, 1, "The rules are read once");
    await admit();
    assert.equal(queries.length, 1);
    await rule({ name: "yacht", phrase: "yacht" });
    kith().clock.advance(1_001);
    await admit();
    assert.ok(queries.length > 1);
  });

  test("hits end after 30 days", async () => {
    await rule({ name: "pills", phrase: "pills", action: "note" });
    const eve = stranger();
    await create(eve, mention(eve, "<p>pills</p>"));
    const forget = createForgetSpamHits({
      db: kith().db,
      clock: kith().clock,
    });
    const run = () =>
      forget({}, { signal: new AbortController().signal } as never);
    await run();
    assert.equal((await hits()).length, 1);
    kith().clock.advance(31 * DAY_MS);
    await run();
    assert.equal((await hits()).length, 0);
  });

  test("faulty rules are refused and change nothing; only admins see any", async () => {
    await rule({ name: "one", phrase: "one" });
    const unchanged = await kith().snapshot();
    for (const form of [
      { name: "two", action: "refuse" },
      { name: "n".repeat(101), phrase: "x", action: "note" },
      { name: "two", phrase: "x".repeat(201), action: "note" },
      { name: "two", link_host: "not a host", action: "note" },
      { name: "two", mentions: 101, action: "note" },
      { name: "two", mentions: 0, action: "note" },
      { name: "two", known_days: 3, action: "note" },
      { name: "two", phrase: "x", known_days: 3651, action: "note" },
      { name: "two", phrase: "x", action: "burn" },
    ])
      await boss.badRequest("POST", RULES, { form });
    await boss.notFound("DELETE", `${RULES}/999999`);
    await boss.notFound("PUT", `${RULES}/999999`, { form: { on: true } });
    assert.deepEqual(await kith().snapshot(), unchanged);
    const keeper = await kith().person({ role: "moderator" });
    for (const [method, path] of [
      ["GET", RULES],
      ["POST", RULES],
      ["GET", "/admin/spam-hits"],
      ["GET", `${RULES}/1/rehearsal`],
    ] as const)
      assert.equal((await keeper.call(method, path)).status, 403);
  });

  test("a page saves, tries, switches and deletes a rule", async () => {
    const browser = visitor(kith().baseUrl);
    await browser.post("/users/sign_in", {
      ...{ username: boss.username, password: PASSWORD },
    });
    const page = () => browser.get("/admin/spam");
    const csrf_token =
      hiddenFields(await page(), "/admin/spam/set")["csrf_token"] ?? "";
    const form = { csrf_token, name: "yachts", action: "note", state: "off" };
    const wrong = await browser.post("/admin/spam/set", form);
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /value="yachts"/);
    const saved = await browser.post("/admin/spam/set", {
      ...{ ...form, phrase: "yacht", known_days: "3" },
    });
    assert.equal(saved.status, 302);
    const shown = (await page()).text;
    assert.match(shown, /text contains “yacht”, known for less than 3 days/);
    const [made] = await boss.get<Rule[]>(RULES);
    const id = String(made?.ID);
    const tried = await browser.post("/admin/spam/rehearse", {
      csrf_token,
      id,
    });
    assert.match(tried.text, /the rule “yachts” would have hit/);
    await browser.post("/admin/spam/switch", { csrf_token, id, state: "on" });
    assert.equal((await boss.get<Rule[]>(RULES))[0]?.On, true);
    assert.match(
      (await browser.get("/admin/spam/log")).text,
      /No rule has hit/,
    );
    await browser.post("/admin/spam/delete", { csrf_token, id });
    assert.deepEqual(await boss.get<Rule[]>(RULES), []);
    const gone = await browser.post("/admin/spam/delete", { csrf_token, id });
    assert.equal(gone.status, 422);
  });

  test("the command line keeps rules, and the audit log names them", async () => {
    const last = await lastAct(kith());
    const run = async (words: string[], more: Record<string, string> = {}) => {
      const said: string[] = [];
      const options = { json: false, yes: false, ...more };
      await runSpamCommand(spamRules(), words, options, (line) =>
        said.push(line),
      );
      return said.join("\n");
    };
    const made = await run(["set", "wave"], {
      ...{ action: "report", phrase: "big wave", strangers: "yes" },
    });
    const [, id = ""] = /spam try (\d+)/.exec(made) ?? assert.fail(made);
    assert.match(
      await run(["list"]),
      /off\treport\twave\t--phrase "big wave" --strangers yes/,
    );
    assert.match(await run(["try", id], { days: "2" }), /would have hit 0 of/);
    await run(["on", id]);
    await run(["off", id]);
    assert.match(await run(["log"]), /^rule\taction/);
    await run(["delete", id]);
    assert.deepEqual(
      await actsSince(kith(), last),
      ["set", "switch_on", "switch_off", "delete"].map(
        (act) => `command line: spam_rule.${act} wave`,
      ),
    );
    for (const [words, more] of [
      [["on", id], {}],
      [["on", "x"], {}],
      [["set", "x"], {}],
      [["set", "x"], { action: "note", mentions: "many" }],
      [["list"], { action: "note" }],
      [["try", id], { days: "31" }],
      [["moon"], {}],
    ] as const)
      await assert.rejects(run([...words], more), { name: "UsageError" });
  });
});
