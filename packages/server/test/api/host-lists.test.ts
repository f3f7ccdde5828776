import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { before, test } from "node:test";
import { runHostsCommand } from "../../src/cli/commands/moderation/host-commands.ts";
import type { ApiClient } from "../support/server/api-client.ts";
import { remotePerson } from "../support/remote/remote-people.ts";
import { actsSince, lastAct, member } from "../support/scenes/crew.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { hiddenFields, visitor } from "../support/pages/visit.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";

type Line = {
  readonly Line: number;
  readonly Name: string;
  readonly Outcome: string;
  readonly Decision: string | null;
  readonly People: number;
  readonly Contacts: number;
  readonly Posts: number;
};
type Import = { readonly ImportID: number | null; readonly Lines: Line[] };
type Done = {
  readonly ID: number;
  readonly By: string;
  readonly Hosts: number;
  readonly UndoneAt: string | null;
};
type Undone = { readonly Restored: string[]; readonly Left: string[] };
type Policy = {
  readonly Host: string;
  readonly Blocked: boolean;
  readonly Silenced: boolean;
  readonly MediaRejected: boolean;
  readonly Reason: string;
};

const LIST = "/admin/hosts/list";
const IMPORTS = "/admin/hosts/imports";
const HEADINGS =
  "#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let boss: ApiClient;
  let keeper: ApiClient;
  before(async () => {
    boss = await member(kith(), "boss", "admin");
    keeper = await member(kith(), "keeper", "moderator");
  });

  const send = (list: string, more: Record<string, string> = {}) =>
    boss.post<Import>(LIST, { list, ...more });
  const decided = async () =>
    new Map(
      (await boss.get<Policy[]>("/admin/hosts", { limit: 100 })).map((it) => [
        it.Host,
        [
          it.Blocked && "blocked",
          it.Silenced && "silenced",
          it.MediaRejected && "media",
          it.Reason,
        ]
          .filter(Boolean)
          .join(" "),
      ]),
    );
  const outcomes = ({ Lines }: Import) =>
    Lines.map(({ Name, Outcome }) => `${Name}: ${Outcome}`);

  test("a preview says of each line what it would do, and changes nothing", async () => {
    const ann = await kith().person();
    const zoe = await remotePerson(kith(), "zoe@people.worse.example:8443");
    const aspect = await ann.post<{ ID: number }>("/aspects", { name: "all" });
    await ann.post(`/people/${zoe.id}/aspects/${aspect.ID}`);
    await boss.post("/admin/hosts", {
      host: "friend.example",
      decision: "allow",
    });
    await boss.post("/admin/hosts", {
      host: "loud.example",
      decision: "silence",
    });
    const unchanged = await kith().snapshot();
    const list = [
      HEADINGS,
      'worse.example,suspend,true,true,"spam, and ""worse""",false',
      "loud.example,suspend,false,false,,false",
      "LOUD.example.,silence,false,false,,false",
      "friend.example,suspend,,,,",
      "hid***.example,suspend,false,false,,true",
      "noise.example,silence,false,false,,false",
      "calm.example,noop,false,false,,false",
      "odd.example,perhaps,false,false,,false",
      "not a host,suspend,false,false,,false",
      "localhost,suspend,false,false,,false",
    ].join("\r\n");
    const preview = await send(list, { dry_run: "true" });
    assert.deepEqual(outcomes(preview), [
      ...["worse.example: new", "loud.example: stricter"],
      ...["LOUD.example.: twice", "friend.example: allowed"],
      ...["hid***.example: hidden", "noise.example: new"],
      ...["calm.example: nothing", "odd.example: severity"],
      ...["not a host: no_host", "localhost: no_host"],
    ]);
    const [worse] = preview.Lines;
    assert.deepEqual(worse, {
      ...{ Line: 2, Name: "worse.example", Outcome: "new", Decision: "block" },
      ...{ People: 1, Contacts: 1, Posts: 0 },
    });
    assert.equal(preview.ImportID, null);
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("an import is one act, which is undone as a whole, but for what was decided since", async () => {
    await boss.post("/admin/hosts", {
      ...{ host: "pics.example", decision: "reject_media", reason: "ours" },
    });
    const before = await decided();
    const last = await lastAct(kith());
    const list = `${HEADINGS}\npics.example,silence,false,false,theirs,false\nbad.example,suspend,false,false,why,false\nsoft.example,silence,true,false,,false`;
    const { ImportID, Lines } = await send(list);
    assert.equal(Lines.filter(({ Decision }) => Decision !== null).length, 3);
    const after = await decided();
    assert.equal(after.get("pics.example"), "silenced media ours");
    assert.equal(after.get("bad.example"), "blocked why");
    assert.equal(after.get("soft.example"), "silenced media");
    const [made] = await keeper.get<Done[]>(IMPORTS);
    assert.equal(made?.ID, ImportID);
    assert.deepEqual(
      [made?.By, made?.Hosts, made?.UndoneAt],
      ["boss", 3, null],
    );
    // The same list changes nothing more, and is no import.
    const again = await send(list);
    assert.equal(again.ImportID, null);
    assert.ok(again.Lines.every(({ Outcome }) => Outcome === "same"));
    // Somebody decides otherwise meanwhile.
    await boss.post("/admin/hosts", {
      host: "soft.example",
      decision: "block",
    });
    const answer = await boss.call("DELETE", `${IMPORTS}/${ImportID}`);
    assert.equal(answer.status, 200, answer.text);
    const undone = JSON.parse(answer.text) as Undone;
    assert.deepEqual(undone.Restored.toSorted(), [
      "bad.example",
      "pics.example",
    ]);
    assert.deepEqual(undone.Left, ["soft.example"]);
    const restored = await decided();
    assert.equal(restored.get("pics.example"), before.get("pics.example"));
    assert.equal(restored.has("bad.example"), false);
    assert.equal(restored.get("soft.example"), "blocked silenced media");
    await boss.refused("DELETE", `${IMPORTS}/${ImportID}`, {}, 409, "Conflict");
    await boss.notFound("DELETE", `${IMPORTS}/999999`);
    await boss.notFound("DELETE", `${IMPORTS}/x`);
    assert.deepEqual(await actsSince(kith(), last), [
      `boss: host_list.import #${ImportID}`,
      "boss: host.block soft.example",
      `boss: host_list.undo #${ImportID}`,
    ]);
  });

  test("an import holds for what arrives and for the people who are known", async () => {
    const ann = await kith().person();
    const eve = await remotePerson(kith(), "eve@gone.example");
    assert.equal((await ann.call("GET", `/people/${eve.id}`)).status, 200);
    const { ImportID } = await send("gone.example\n");
    await kith().settle();
    assert.equal((await ann.call("GET", `/people/${eve.id}`)).status, 404);
    const { hostPolicies } = kith().server.features;
    assert.equal(
      await hostPolicies.isHostAllowed("https://gone.example/x"),
      false,
    );
    await boss.call("DELETE", `${IMPORTS}/${ImportID}`);
    await kith().settle();
    assert.equal((await ann.call("GET", `/people/${eve.id}`)).status, 200);
  });

  test("names alone are blocked, and the server itself never is", async () => {
    const own = new URL(kith().baseUrl).hostname;
    const list = `\uFEFFone.example\n\n  two.example  \n${own}\nmünchen.example\n`;
    const preview = await send(list, { dry_run: "true" });
    const [, , self] = preview.Lines;
    assert.ok(["own", "no_host"].includes(self?.Outcome ?? ""));
    await send(list);
    const now = await decided();
    for (const host of ["one.example", "two.example", "xn--mnchen-3ya.example"])
      assert.equal(now.get(host), "blocked");
  });

  test("a written list is read again to the same decisions", async () => {
    await boss.post("/admin/hosts", {
      ...{ host: "formula.example", decision: "block" },
      reason: '=HYPERLINK("x"), a "quote"\nand a line',
    });
    const { List } = await keeper.get<{ List: string }>(LIST);
    assert.ok(List.startsWith(`${HEADINGS}\n`));
    assert.ok(!/(^|,)"?=/m.test(List), "no formula");
    const again = await send(List);
    assert.equal(again.ImportID, null);
    assert.ok(
      again.Lines.every(({ Outcome }) => Outcome === "same"),
      List,
    );
  });

  test("a text that is no list, is too long, or does not come from an admin is refused, and changes nothing", async () => {
    await boss.badRequest("POST", LIST, { form: { list: 'a.example,"b' } });
    const long = "x".repeat(1_000_001);
    await boss.badRequest("POST", LIST, { form: { list: long } });
    await boss.blank("POST", LIST, { form: { list: " " } });
    const form = { list: "one.example" };
    await keeper.refused("POST", LIST, { form }, 403, "Forbidden");
    const ann = await kith().person();
    await ann.refused("POST", LIST, { form }, 403, "Forbidden");
    await ann.refused("GET", LIST, {}, 403, "Forbidden");
    await ann.refused("GET", IMPORTS, {}, 403, "Forbidden");
    await keeper.refused("DELETE", `${IMPORTS}/1`, {}, 403, "Forbidden");
  });

  test("two imports of thousands of lines at once are one", async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => `h${n}.many.example`);
    const list = many.join("\n");
    const [one, other] = await Promise.all([send(list), send(list)]);
    const ids = [one.ImportID, other.ImportID].filter((it) => it !== null);
    assert.equal(ids.length, 1);
    await boss.call("DELETE", `${IMPORTS}/${ids[0]}`);
    assert.equal((await decided()).has("h1.many.example"), false);
  });

  test("the page shows what a list would do, takes it over and undoes it", async () => {
    const browser = visitor(kith().baseUrl);
    const signingIn = { username: "boss", password: PASSWORD };
    await browser.post("/users/sign_in", signingIn);
    const path = "/admin/hosts";
    const form = hiddenFields(await browser.get(path), `${path}/preview`);
    const list = "page.example\nhid*.example";
    const shown = await browser.post(`${path}/preview`, { ...form, list });
    assert.equal(shown.status, 200, shown.text);
    assert.match(shown.text, /page\.example.*?new.*?hidden by stars/s);
    assert.equal((await decided()).has("page.example"), false);
    const again = hiddenFields(shown, `${path}/apply`);
    assert.equal((await browser.post(`${path}/apply`, again)).status, 302);
    assert.equal((await decided()).get("page.example"), "blocked");
    const undo = hiddenFields(await browser.get(path), `${path}/undo`);
    assert.equal((await browser.post(`${path}/undo`, undo)).status, 302);
    assert.equal((await decided()).has("page.example"), false);
    const twice = await browser.post(`${path}/undo`, undo);
    assert.equal(twice.status, 422);
    const bad = { ...form, list: 'a,"b' };
    assert.equal((await browser.post(`${path}/preview`, bad)).status, 422);
  });

  test("the page shows two hundred decisions, and finds the others", async () => {
    const many = Array.from({ length: 250 }, (_, n) => `z${n}.long.example`);
    const { ImportID } = await send(many.join("\n"));
    const browser = visitor(kith().baseUrl);
    const signingIn = { username: "boss", password: PASSWORD };
    await browser.post("/users/sign_in", signingIn);
    const { text } = await browser.get("/admin/hosts?name=LONG.example");
    assert.equal(text.match(/\/admin\/hosts\/forgive/g)?.length, 200);
    assert.match(text, /50 more decisions are not shown/);
    const found = await browser.get("/admin/hosts?name=z249.");
    assert.equal(found.text.match(/\/admin\/hosts\/forgive/g)?.length, 1);
    await boss.call("DELETE", `${IMPORTS}/${ImportID}`);
  });

  test("a list of too many lines is refused", async () => {
    const list = Array.from({ length: 10_001 }, (_, n) => `${n}.example`);
    await boss.badRequest("POST", LIST, { form: { list: list.join("\n") } });
  });

  test("the command line shows, imports, writes and undoes", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "kith-lists-"));
    try {
      const file = path.join(folder, "list.csv");
      await writeFile(
        file,
        `${HEADINGS}\ncli.example,suspend,false,false,,false\n*.hid.example,suspend,,,,`,
      );
      const run = async (words: string[], dryRun = false) => {
        const said: string[] = [];
        const options = { json: false, yes: false, dryRun };
        await runHostsCommand(kith().server.features, words, options, (line) =>
          said.push(line),
        );
        return said.join("\n");
      };
      const shown = await run(["import", file], true);
      assert.match(shown, /cli\.example\s+new\s+0\s+0\s+0/);
      assert.match(shown, /hidden: 1\nNothing was changed\./);
      assert.equal((await decided()).has("cli.example"), false);
      const said = await run(["import", file]);
      const [, id = ""] = /undo (\d+)/.exec(said) ?? [];
      assert.match(
        await run(["export"]),
        /^cli\.example,suspend,false,false,,false$/m,
      );
      assert.match(
        await run(["imports"]),
        new RegExp(`^${id}\\s.*command line\\s+1`, "m"),
      );
      assert.match(await run(["undo", id]), /1 decisions were taken back/);
      for (const words of [
        ["import"],
        ["import", path.join(folder, "none")],
        ["undo", "x"],
        ["undo", id],
        ["export", "x"],
        ["import", file, "more"],
      ])
        await assert.rejects(run(words), { name: "UsageError" });
      await assert.rejects(run(["list"], true), { name: "UsageError" });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
