import assert from "node:assert/strict";
import { before, test } from "node:test";
import { runAppealsCommand } from "../../src/cli/commands/moderation/appeal-commands.ts";
import { runPersonCommand } from "../../src/cli/commands/moderation/person-commands.ts";
import { useMailBox } from "../support/mail/mail-box.ts";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import { actsSince, lastAct } from "../support/scenes/crew.ts";
import { visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";
import type { NotificationRecord, PostRecord } from "../support/server/wire.ts";

type Strike = {
  readonly ID: number;
  readonly Guid: string;
  readonly Action: string;
  readonly Message: string;
  readonly Excerpt: string | null;
  readonly EndedAt: string | null;
  readonly AppealUntil: string | null;
  readonly Appeal: string | null;
  readonly AppealState: string;
};
type Appeal = Strike & { readonly Person: { readonly Author: string } };

forEachDatabase((kind) => {
  const box = useMailBox();
  const kith = useKith(kind, {
    env: {
      get KITH_SMTP_URL() {
        return box.url();
      },
      KITH_MAIL_FROM: "kith@kith.example",
    },
  });
  let keeper: TestPerson;
  let boss: TestPerson;
  before(async () => {
    keeper = await kith().person({ handle: "keeper", role: "moderator" });
    boss = await kith().person({ handle: "boss", role: "admin" });
  });

  const strikesOf = (who: TestPerson) => who.get<Strike[]>("/strikes");
  const decide = (
    who: TestPerson,
    what: "silence" | "suspension",
    form: Record<string, string> = {},
  ) => keeper.put(`/admin/people/${who.record.ID}/${what}`, form);
  const warn = (who: TestPerson, message = "mind your words") =>
    keeper.post(`/admin/people/${who.record.ID}/warnings`, { message });
  const appeal = (who: TestPerson, { ID }: Strike, text = "I did not") =>
    who.post<Strike>(`/strikes/${ID}/appeal`, { text });
  const answer = (by: TestPerson, { ID }: Strike, how: "accept" | "reject") =>
    by.post<Appeal>(`/admin/appeals/${ID}/${how}`);
  const newest = async (who: TestPerson): Promise<Strike> => {
    const [strike] = await strikesOf(who);
    return strike ?? assert.fail("There is no strike");
  };
  const withMail = async (who: TestPerson) => {
    const address = `${who.username}@mail.example`;
    await kith().db.transaction((tx) =>
      tx
        .insertInto("mail_addresses")
        .values({
          ...{ user_id: who.record.UserID, address, address_key: address },
          ...{ confirmed_at: "2020-01-01T00:00:00.000Z", bounced_at: null },
          ...{ wanted_address: null, wanted_hash: null, wanted_until: null },
          ...{ frequency: "never", kinds: "[]", staff_kinds: "[]" },
          ...{ digest_at: null, digest_after_id: 0 },
          updated_at: "2020-01-01T00:00:00.000Z",
        } as never)
        .execute(),
    );
    return () => box.to(address);
  };

  test("a person reads what was decided about it, without names and reasons for moderators", async () => {
    const ann = await kith().person();
    assert.deepEqual(await strikesOf(ann), []);
    await decide(ann, "silence", {
      reason: "reported by zoe",
      message: "too loud",
    });
    const strike = await newest(ann);
    assert.equal(strike.Action, "silence");
    assert.equal(strike.Message, "too loud");
    assert.equal(strike.AppealState, "none");
    assert.ok(strike.AppealUntil);
    const { text } = await ann.call("GET", "/strikes");
    assert.doesNotMatch(text, /keeper|zoe/);
    assert.equal(
      (await ann.get<Strike>(`/strikes/${strike.ID}`)).ID,
      strike.ID,
    );
    const ben = await kith().person();
    assert.deepEqual(await strikesOf(ben), []);
    await ben.notFound("GET", `/strikes/${strike.ID}`);
    await ben.notFound("POST", `/strikes/${strike.ID}/appeal`, {
      form: { text: "let ann be" },
    });
    const path = `/admin/people/${ann.record.ID}/strikes`;
    assert.equal((await keeper.get<Strike[]>(path)).length, 1);
    assert.equal((await ann.call("GET", path)).status, 403);
  });

  test("the same decision again is none, and new words change it", async () => {
    const ann = await kith().person();
    await decide(ann, "silence", { message: "first" });
    await decide(ann, "silence");
    assert.equal((await newest(ann)).Message, "first");
    await decide(ann, "silence", { message: "better" });
    const all = await strikesOf(ann);
    assert.deepEqual(
      all.map(({ Message }) => Message),
      ["better"],
    );
    await keeper.delete(`/admin/people/${ann.record.ID}/silence`);
    assert.ok((await newest(ann)).EndedAt);
    await decide(ann, "silence");
    assert.equal((await strikesOf(ann)).length, 2);
  });

  test("an appeal that is accepted takes the decision back", async () => {
    const ann = await kith().person();
    const mails = await withMail(ann);
    await decide(ann, "silence", { message: "too loud" });
    const strike = await newest(ann);
    const since = await lastAct(kith());
    const appealed = await appeal(ann, strike);
    assert.equal(appealed.AppealState, "open");
    assert.equal(appealed.AppealUntil, null);
    const [open] = await keeper.get<Appeal[]>("/admin/appeals");
    assert.equal(open?.ID, strike.ID);
    assert.equal(open.Person.Author, ann.handle);
    assert.equal(open.Appeal, "I did not");
    const counts = await keeper.get<{ OpenAppeals: number }>("/admin/overview");
    assert.equal(counts.OpenAppeals, 1);
    const accepted = await answer(keeper, strike, "accept");
    assert.equal(accepted.AppealState, "accepted");
    assert.ok(accepted.EndedAt);
    const person = await keeper.get<{ Silenced: boolean }>(
      `/admin/people/${ann.record.ID}`,
    );
    assert.equal(person.Silenced, false);
    assert.deepEqual(await actsSince(kith(), since), [
      `keeper: appeal.accept ${ann.handle}`,
      `keeper: person.unsilence ${ann.handle}`,
    ]);
    assert.deepEqual(await keeper.get("/admin/appeals"), []);
    const closed = await keeper.get<Appeal[]>("/admin/appeals", {
      state: "closed",
    });
    assert.equal(closed[0]?.ID, strike.ID);
    await keeper.refused(
      "POST",
      `/admin/appeals/${strike.ID}/reject`,
      {},
      409,
      "Conflict",
    );
    await kith().settle();
    const [notice] = await ann.get<NotificationRecord[]>("/notifications");
    assert.equal(notice?.TargetType, "Strike");
    assert.equal(notice.TargetGuid, strike.Guid);
    const subjects = mails().map(({ subject }) => subject);
    assert.deepEqual(subjects.toSorted(), [
      "The moderators made a decision about your account",
      "Your appeal was accepted",
    ]);
    for (const mail of mails()) {
      assert.doesNotMatch(mail.text + mail.html, /keeper|too loud/);
      assert.match(mail.text, /\/settings\/strikes/);
    }
  });

  test("an appeal that is rejected leaves all as it was, and there is no second one", async () => {
    const ann = await kith().person();
    await warn(ann);
    const strike = await newest(ann);
    assert.equal(strike.Action, "warn");
    await appeal(ann, strike);
    const before = await kith().snapshot();
    await ann.refused(
      "POST",
      `/strikes/${strike.ID}/appeal`,
      { form: { text: "again" } },
      409,
      "Conflict",
    );
    assert.deepEqual(await kith().snapshot(), before);
    const rejected = await answer(keeper, strike, "reject");
    assert.equal(rejected.AppealState, "rejected");
    assert.equal(rejected.EndedAt, null);
    assert.equal((await newest(ann)).AppealState, "rejected");
  });

  test("ending a decision otherwise answers its open appeal", async () => {
    const ann = await kith().person();
    await decide(ann, "silence");
    await appeal(ann, await newest(ann));
    await keeper.delete(`/admin/people/${ann.record.ID}/silence`);
    assert.equal((await newest(ann)).AppealState, "accepted");
    assert.deepEqual(await keeper.get("/admin/appeals"), []);
  });

  test("appeals end after 20 days, and have a text of bounded length", async () => {
    const ann = await kith().person();
    await warn(ann);
    const strike = await newest(ann);
    const path = `/strikes/${strike.ID}/appeal`;
    await ann.blank("POST", path, { form: { text: " " } });
    await ann.badRequest("POST", path, { form: { text: "x".repeat(2001) } });
    await ann.notFound("POST", "/strikes/0/appeal", { form: { text: "x" } });
    kith().clock.advance(20 * DAY_MS - HOUR_MS);
    const fine = await kith().person();
    await warn(fine);
    await appeal(ann, strike, "🦌".repeat(2000));
    await warn(ann);
    const second = await newest(ann);
    kith().clock.advance(20 * DAY_MS + HOUR_MS);
    assert.equal((await newest(ann)).AppealUntil, null);
    await ann.refused(
      "POST",
      `/strikes/${second.ID}/appeal`,
      { form: { text: "late" } },
      409,
      "Conflict",
    );
    await answer(keeper, strike, "reject");
  });

  test("a deleted text is one, with its beginning, and does not come back", async () => {
    const [ann, ben] = [await kith().person(), await kith().person()];
    const report = async (form: Record<string, number>) =>
      (await ben.post<{ ID: number }>("/reports", { ...form, text: "rude" }))
        .ID;
    const remove = (id: number, message: string) =>
      keeper.call("DELETE", `/admin/reports/${id}/target`, {
        query: { message },
      });
    const long = "r".repeat(600);
    const post = await ann.post<PostRecord>("/posts", { post: long });
    const id = await report({ post_id: post.ID });
    assert.equal((await remove(id, "m".repeat(1001))).status, 400);
    assert.equal((await remove(id, "against rule 3")).status, 200);
    assert.equal((await remove(id, "twice")).status, 200);
    const strike = await newest(ann);
    assert.equal((await strikesOf(ann)).length, 1);
    assert.equal(strike.Action, "remove_post");
    assert.equal(strike.Message, "against rule 3");
    assert.equal(strike.Excerpt, long.slice(0, 500));
    await appeal(ann, strike);
    await answer(keeper, strike, "accept");
    await ann.notFound("GET", `/posts/${post.ID}`);
    const other = await ben.post<PostRecord>("/posts", { post: "mine" });
    const comment = await ann.post<{ ID: number }>(
      `/posts/${other.ID}/comments`,
      { comment: "meh" },
    );
    await remove(await report({ comment_id: comment.ID }), "");
    assert.equal((await newest(ann)).Action, "remove_comment");
    assert.deepEqual(await strikesOf(ben), []);
  });

  test("moderators answer no appeal of their own, nor those of other moderators", async () => {
    const other = await kith().person({ role: "moderator" });
    await boss.put(`/admin/people/${other.record.ID}/silence`);
    const strike = await newest(other);
    await appeal(other, strike);
    for (const one of [other, keeper])
      await one.refused(
        "POST",
        `/admin/appeals/${strike.ID}/accept`,
        {},
        403,
        "Forbidden",
      );
    const user = await kith().person();
    for (const path of ["/admin/appeals", `/admin/appeals/${strike.ID}`])
      await user.refused("GET", path, {}, 403, "Forbidden");
    await keeper.notFound("POST", "/admin/appeals/999999/accept");
    await answer(boss, strike, "accept");
  });

  test("warnings need words, and are for people here", async () => {
    const ann = await kith().person();
    const path = `/admin/people/${ann.record.ID}/warnings`;
    await keeper.blank("POST", path, { form: { message: " " } });
    await keeper.badRequest("POST", path, {
      form: { message: "x".repeat(1001) },
    });
    const zoe = await remotePerson(kith(), "zoe@strikes.example");
    await keeper.badRequest("POST", `/admin/people/${zoe.id}/warnings`, {
      form: { message: "mind your words" },
    });
    await keeper.badRequest("PUT", `/admin/people/${zoe.id}/silence`, {
      form: { message: "mind your words" },
    });
    await keeper.put(`/admin/people/${zoe.id}/silence`, { reason: "loud" });
    await keeper.refused(
      "POST",
      `/admin/people/${boss.record.ID}/warnings`,
      { form: { message: "you, too" } },
      403,
      "Forbidden",
    );
  });

  test("somebody suspended reads why after signing in, and appeals there", async () => {
    const ann = await kith().person();
    const { baseUrl } = kith();
    const send = async (path: string, form: Record<string, string>) => {
      const answered = await fetch(baseUrl + path, {
        method: "POST",
        headers: { accept: "text/html" },
        body: new URLSearchParams(form),
        redirect: "manual",
      });
      return { status: answered.status, text: await answered.text() };
    };
    const signIn = (password = PASSWORD) =>
      send("/users/sign_in", { username: ann.username, password });
    await decide(ann, "suspension", {
      ...{ reason: "told by zoe", message: "three <warnings>" },
    });
    assert.doesNotMatch((await signIn("wrong")).text, /three/);
    const refused = await signIn();
    assert.equal(refused.status, 403);
    assert.match(refused.text, /three &lt;warnings&gt;/);
    assert.doesNotMatch(refused.text, /keeper|zoe/);
    const [, token = ""] =
      /name="token"\s+value="([^"]+)"/.exec(refused.text) ?? [];
    const [, id = ""] = /name="id"\s+value="(\d+)"/.exec(refused.text) ?? [];
    const other = await kith().person();
    await warn(other);
    const foreign = String((await newest(other)).ID);
    const post = (form: Record<string, string>) =>
      send("/users/appeal", { token, id, text: "I did not", ...form });
    const before = await kith().snapshot();
    assert.equal((await post({ id: foreign })).status, 404);
    assert.equal((await post({ token: `${token}x` })).status, 404);
    assert.equal((await post({ token: "" })).status, 404);
    const blank = await post({ text: " " });
    assert.equal(blank.status, 422);
    assert.deepEqual(await kith().snapshot(), before);
    const done = await post({});
    assert.equal(done.status, 200);
    assert.match(done.text, /I did not/);
    assert.equal((await post({})).status, 422);
    await keeper.post(`/admin/appeals/${id}/accept`);
    // The proof is of no use to somebody who can sign in.
    assert.equal((await post({})).status, 404);
    assert.equal((await signIn()).status, 302);
    await kith().settle();
    const browser = visitor(baseUrl);
    const { username } = ann;
    await browser.post("/users/sign_in", { username, password: PASSWORD });
    const { text: notices } = await browser.get("/notifications");
    assert.match(notices, /The moderators made a decision about you/);
    assert.doesNotMatch(notices.split("<main")[1] ?? "", RegExp(username));
    const { text: strikes } = await browser.get("/settings/strikes");
    assert.match(strikes, /Your account was suspended/);
    assert.doesNotMatch(strikes, /Your account is suspended/);
    const { token: fresh } = await kith().token(ann.username);
    const again = kith().anonymous.with(fresh);
    const [notice] = await again.get<NotificationRecord[]>("/notifications");
    assert.equal(notice?.TargetType, "Strike");
  });

  test("the proof of somebody suspended ends after an hour", async () => {
    const { tokens } = kith().server.features.strikes;
    const ann = await kith().person();
    const { UserID } = ann.record;
    const token = tokens.make(UserID);
    assert.equal(tokens.read(token), UserID);
    assert.equal(tokens.read(token.replace(/^\d+/, "1")), undefined);
    kith().clock.advance(HOUR_MS);
    assert.equal(tokens.read(token), undefined);
  });

  test("programs of Mastodon warn, and are told of it", async () => {
    const ann = await kith().person();
    const mod = MastodonClient.of(kith(), keeper);
    await mod.post(`/v1/admin/accounts/${ann.record.ID}/action`, {
      ...{ type: "none", text: "mind your words" },
    });
    await kith().settle();
    const [notice] = await MastodonClient.of(kith(), ann).get<
      {
        readonly type: string;
        readonly account: { readonly id: string };
        readonly moderation_warning: Record<string, unknown>;
      }[]
    >("/v1/notifications");
    assert.equal(notice?.type, "moderation_warning");
    assert.equal(notice.account.id, String(ann.record.ID));
    const { action, text, appeal: said } = notice.moderation_warning;
    assert.deepEqual([action, text, said], ["none", "mind your words", null]);
  });

  test("operators warn and answer at the command line", async () => {
    const ann = await kith().person();
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const { features } = kith().server;
    const words = ["warn", ann.username];
    await runPersonCommand(features, words, { message: "once" }, write);
    await assert.rejects(
      runPersonCommand(features, words, {}, write),
      /must not be blank/,
    );
    const strike = await newest(ann);
    await appeal(ann, strike, "two\nlines");
    const appeals = (...typed: string[]) =>
      runAppealsCommand(features, typed, write);
    await appeals("list");
    const row = `${strike.ID}\t`;
    const found = lines.find((line) => line.startsWith(row)) ?? "";
    assert.match(found, /\twarn\ttwo lines$/);
    await appeals("reject", String(strike.ID));
    await assert.rejects(appeals("accept", String(strike.ID)), /already/);
    await assert.rejects(appeals("accept", "no"), /not the number/);
    await assert.rejects(appeals("show"), /kith appeals/);
    assert.equal((await newest(ann)).AppealState, "rejected");
  });
});
