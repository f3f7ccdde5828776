import assert from "node:assert/strict";
import { test } from "node:test";
import { runAnnouncementCommand } from "../../src/cli/commands/announcement-commands.ts";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { newUser } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { HOUR_MS } from "../support/server/test-clock.ts";

type Made = { ID: number; Text: string; EndsAt: string | null };
type Shown = Made & { Dismissed: boolean };
type Wire = { id: string; content: string; read: boolean };

const PATH = "/admin/announcements";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const admin = () => kith().person({ role: "admin" });
  const newestAct = async () => {
    const page = { offset: 0, limit: 1 };
    const [act] = await kith().server.features.audit.list(page);
    return act && `${act.byName}: ${act.action}`;
  };
  const at = (hours: number) =>
    new Date(kith().clock.now().getTime() + hours * HOUR_MS).toISOString();

  test("an announcement is read by everybody, and put away by one", async () => {
    const [boss, ann, bob] = [
      await admin(),
      await kith().person(),
      await kith().person(),
    ];
    const made = await boss.post<Made>(PATH, { text: "We rest on *Sunday*" });
    assert.match((await newestAct()) ?? "", /announcement\.publish$/);
    const listed = async (who = ann) =>
      (await who.get<Shown[]>("/announcements")).find(
        ({ ID }) => ID === made.ID,
      );
    assert.equal((await listed())?.Dismissed, false);
    const apps = [ann, bob].map((who) => MastodonClient.of(kith(), who));
    const seen = async (app = apps[0], query = "") =>
      (await app?.get<Wire[]>(`/v1/announcements${query}`))?.find(
        ({ id }) => id === String(made.ID),
      );
    assert.match((await seen())?.content ?? "", /<em>Sunday<\/em>/);
    assert.equal((await seen())?.read, false);
    for (let repeat = 0; repeat < 2; repeat += 1)
      await apps[0]?.post(`/v1/announcements/${made.ID}/dismiss`);
    assert.equal(await seen(), undefined);
    assert.equal((await seen(apps[0], "?with_dismissed=true"))?.read, true);
    assert.equal((await listed())?.Dismissed, true);
    assert.equal((await listed(bob))?.Dismissed, false);
    await bob.post(`/announcements/${made.ID}/dismiss`);
    assert.equal((await listed(bob))?.Dismissed, true);
    assert.equal(await seen(apps[1]), undefined);
    await boss.delete(`${PATH}/${made.ID}`);
    assert.match((await newestAct()) ?? "", /announcement\.withdraw$/);
    assert.equal(await listed(), undefined);
    await boss.notFound("DELETE", `${PATH}/${made.ID}`);
    await ann.notFound("POST", `/announcements/${made.ID}/dismiss`);
    await apps[0]?.notFound("POST", `/v1/announcements/${made.ID}/dismiss`);
  });

  test("it is shown until its end", async () => {
    const [boss, ann] = [await admin(), await kith().person()];
    const { ID } = await boss.post<Made>(PATH, {
      ...{ text: "Tonight", starts_at: at(1), ends_at: at(2) },
    });
    const isShown = async () =>
      (await ann.get<Shown[]>("/announcements")).some((it) => it.ID === ID);
    assert.ok(await isShown());
    kith().clock.advance(3 * HOUR_MS);
    assert.ok(!(await isShown()));
    const all = await boss.get<Made[]>(PATH);
    assert.ok(all.some((it) => it.ID === ID));
  });

  test("nothing is announced by others, or without a text and possible times", async () => {
    const [boss, mod, ann] = [
      await admin(),
      await kith().person({ role: "moderator" }),
      await kith().person(),
    ];
    const { ID } = await boss.post<Made>(PATH, { text: "Kept" });
    // The first use of a token is noted.
    for (const who of [mod, ann]) await who.get("/aspects");
    const before = await kith().snapshot();
    for (const who of [mod, ann])
      for (const [method, path] of [
        ["GET", PATH],
        ["POST", PATH],
        ["DELETE", `${PATH}/${ID}`],
      ] as const) {
        const answer = await who.call(
          ...([method, path] as const),
          method === "POST" ? { form: { text: "x" } } : {},
        );
        assert.equal(answer.status, 403, `${method} ${path}`);
      }
    for (const form of [
      { text: "  " },
      { text: "x".repeat(5_001) },
      { text: "x", starts_at: "soon" },
      { text: "x", ends_at: at(-1) },
      { text: "x", starts_at: at(3), ends_at: at(2) },
    ]) {
      const { status } = await boss.call("POST", PATH, { form });
      assert.equal(status, 400, JSON.stringify(form).slice(0, 80));
    }
    assert.deepEqual(await kith().snapshot(), before);
  });

  test("the command line announces, lists and withdraws", async () => {
    const { announcements } = kith().server.features;
    const said: string[] = [];
    const run = (...words: string[]) =>
      runAnnouncementCommand(announcements, words, (line) => said.push(line));
    await run("create", "Back", "at", "noon");
    const number = /\d+/.exec(said.at(-1) ?? "")?.[0] ?? "";
    assert.match((await newestAct()) ?? "", /^command line: /);
    await run("list");
    assert.ok(said.some((line) => /Back at noon/.test(line)));
    await run("withdraw", number);
    for (const [words, reason] of [
      [["withdraw", number], /There is no announcement/],
      [["withdraw", "x"], /not the number/],
      [["create", " "], /must not be blank/],
      [["create"], /kith announcement create/],
      [["destroy"], /kith announcement create/],
    ] as const)
      await assert.rejects(run(...words), reason);
  });

  test("it stands above the posts of the home until it is put away", async () => {
    const { baseUrl, server } = kith();
    const [boss, ann] = [
      await newUser(baseUrl, "boss"),
      await newUser(baseUrl, "reader"),
    ];
    await server.features.administration.setRole(
      ...([null, { username: "boss" }, "admin"] as const),
    );
    const send = (
      by: typeof boss,
      path: string,
      fields: Record<string, string> = {},
    ) => by.post(path, { csrf_token: by.csrf_token, ...fields });
    assert.equal((await ann.get(PATH)).status, 404);
    assert.equal((await send(ann, `${PATH}/publish`)).status, 404);
    const refused = await send(boss, `${PATH}/publish`, { text: " " });
    assert.match(refused.text, /needs a text/);
    const late = { text: "Kept words", ends_at: "1999-01-01T00:00" };
    const past = await send(boss, `${PATH}/publish`, late);
    assert.match(past.text, /Nothing was announced/);
    assert.match(past.text, /Kept words/);
    const times = {
      starts_at: `${at(24).slice(0, 11)}18:30`,
      ends_at: `${at(48).slice(0, 11)}19:45`,
    };
    await send(boss, `${PATH}/publish`, { text: "The **big** day", ...times });
    const home = await ann.get("/home");
    for (const page of [home, await boss.get(PATH)])
      assert.match(
        page.text,
        /Begins\s<time[^>]*>[^<]*6:30[^]*Ends\s<time[^>]*>[^<]*7:45/,
      );
    assert.match(home.text, /The <strong>big<\/strong> day/);
    const [path = ""] = /\/announcements\/\d+\/dismiss/.exec(home.text) ?? [];
    assert.equal((await ann.post(path, {})).status, 403);
    assert.equal((await send(ann, path)).headers.get("location"), "/home");
    assert.doesNotMatch((await ann.get("/home")).text, /<strong>big/);
    assert.match((await boss.get("/home")).text, /<strong>big/);
    const id = /\d+/.exec(path)?.[0] ?? "";
    await send(boss, `${PATH}/withdraw`, { id });
    assert.match(
      (await send(boss, `${PATH}/withdraw`, { id })).text,
      /withdrawn already/,
    );
    assert.equal((await send(ann, path)).status, 404);
  });
});
