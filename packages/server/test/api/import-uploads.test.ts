import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { mastodonFiles, oldNote } from "../support/imports/mastodon-archive.ts";
import { writeZip } from "../support/imports/packed.ts";
import { newUser } from "../support/pages/visit.ts";
import { storedFiles } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";

type Count = {
  readonly Kind: string;
  readonly Added: number;
  readonly Known: number;
  readonly LeftOut: readonly {
    readonly Reason: string;
    readonly Count: number;
    readonly Examples: readonly string[];
  }[];
};

type ImportRecord = {
  readonly ID: number;
  readonly FileName: string;
  readonly Kind: string | null;
  readonly State: string;
  readonly Done: number;
  readonly Total: number;
  readonly Rehearsal: readonly Count[] | null;
  readonly Report: readonly Count[] | null;
  readonly Failure: string | null;
};

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_IMPORT_MB: "9" } });
  let folder: string;
  let number = 0;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "kith-uploads-"));
  });
  after(() => rm(folder, { recursive: true }));

  const zip = async (names: readonly string[]) => {
    const files = mastodonFiles(names.map((name) => oldNote(name)));
    const file = path.join(folder, String((number += 1)));
    return readFile(await writeZip(file, files));
  };

  const formOf = (
    name: string,
    content: string | Uint8Array,
    fields: Readonly<Record<string, string>> = {},
  ) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields))
      form.append(field, value);
    form.append("file", new Blob([Buffer.from(content)]), name);
    return form;
  };

  const upload = async (
    who: TestPerson,
    ...given: Parameters<typeof formOf>
  ) => {
    const sent = { multipart: formOf(...given) };
    const { status, text } = await who.call("POST", "/imports", sent);
    assert.equal(status, 200, text);
    return JSON.parse(text) as ImportRecord;
  };

  const show = (who: TestPerson, { ID }: ImportRecord) =>
    who.get<ImportRecord>(`/imports/${ID}`);

  const countsOf = (report: ImportRecord["Report"]) =>
    Object.fromEntries(
      (report ?? []).map((it) => [it.Kind, [it.Added, it.Known]]),
    );

  const postsOf = ({ record }: TestPerson) =>
    kith().server.features.posts.listOf(
      record.ID,
      { userId: record.UserID, personId: record.ID },
      { offset: 0, limit: 100 },
    );

  const files = () => storedFiles(kith());

  test("an upload is rehearsed, changes nothing, and is imported when its owner starts it", async () => {
    const ann = await kith().person();
    const sent = await upload(ann, "archive.zip", await zip(["one", "two"]));
    assert.deepEqual([sent.State, sent.Kind], ["rehearsing", null]);
    assert.equal((await files()).length, 1);
    await kith().settle();
    const rehearsed = await show(ann, sent);
    assert.equal(rehearsed.State, "rehearsed");
    assert.deepEqual(countsOf(rehearsed.Rehearsal)["post"], [2, 0]);
    const bookmark = rehearsed.Rehearsal?.find((it) => it.Kind === "bookmark");
    assert.deepEqual(bookmark?.LeftOut, [
      {
        Reason: "unknown_post",
        Count: 1,
        Examples: ["https://other.example/2"],
      },
    ]);
    assert.equal(rehearsed.Report, null);
    assert.deepEqual(await postsOf(ann), []);
    const started = await ann.post<ImportRecord>(`/imports/${sent.ID}/start`);
    assert.equal(started.State, "importing");
    await kith().settle();
    const done = await show(ann, sent);
    assert.deepEqual([done.State, done.Done, done.Total], ["done", 4, 4]);
    assert.deepEqual(countsOf(done.Report)["post"], [2, 0]);
    const posts = await postsOf(ann);
    assert.deepEqual(
      posts.map(({ createdAt }) => createdAt.slice(0, 10)),
      ["2019-03-04", "2019-03-04"],
    );
    assert.deepEqual(await files(), []);
    assert.deepEqual(await readdir(path.join(kith().dataDir, "imports")), []);
    await ann.refused("POST", `/imports/${sent.ID}/start`, {}, 409, "Conflict");
    // The next one has a place, and adds nothing twice.
    const again = await upload(ann, "archive.zip", await zip(["two", "three"]));
    await kith().settle();
    const { Rehearsal } = await show(ann, again);
    assert.deepEqual(countsOf(Rehearsal)["post"], [1, 1]);
    const listed = await ann.get<ImportRecord[]>("/imports");
    assert.deepEqual(
      listed.map(({ ID }) => ID),
      [again.ID, sent.ID],
    );
    await ann.call("DELETE", `/imports/${again.ID}`);
    await kith().settle();
    assert.deepEqual(await files(), []);
  });

  test("an import goes on where it was after a stop, each post once", async () => {
    const ann = await kith().person();
    const names = Array.from({ length: 60 }, (_, at) => `post ${at}`);
    const sent = await upload(ann, "archive.zip", await zip(names));
    await kith().settle();
    // Its owner stops it while it runs.
    const { db, server } = kith();
    await ann.post(`/imports/${sent.ID}/start`);
    const { heldImports } = server.features;
    const userId = ann.record.UserID;
    const running = kith().settle();
    for (let done = 0; done === 0; await setImmediate())
      ({ done } = await heldImports.get(userId, sent.ID));
    const stopped = await ann.call("POST", `/imports/${sent.ID}/stop`);
    await running;
    const at = await show(ann, sent);
    // On a slow machine it may have been done before the stop.
    if (stopped.status === 200) {
      assert.equal(at.State, "stopped");
      const { length } = await postsOf(ann);
      assert.ok(length >= at.Done && length < 60, String(length));
      await ann.post(`/imports/${sent.ID}/start`);
      await kith().settle();
    }
    const done = await show(ann, sent);
    assert.deepEqual([done.State, done.Done], ["done", 62]);
    const texts = (await postsOf(ann)).map(({ text }) => text);
    assert.equal(new Set(texts).size, 60);
    assert.equal(texts.length, 60);
    const jobs = db.read.selectFrom("jobs").select("kind");
    const kinds = (await jobs.execute()).map((it) => it.kind);
    assert.ok(!kinds.includes("run-import"));
  });

  test("an import whose process was killed goes on, and its counts stay", async () => {
    const ann = await kith().person();
    const sent = await upload(ann, "archive.zip", await zip(["a", "b", "c"]));
    await kith().settle();
    const report = { post: { added: 2, known: 0, leftOut: {} } };
    await kith().db.transaction((tx) =>
      tx
        .updateTable("imports")
        .set({ done: 2, report: JSON.stringify(report) as never })
        .where("id", "=", sent.ID)
        .execute(),
    );
    await ann.post(`/imports/${sent.ID}/start`);
    await kith().settle();
    const done = await show(ann, sent);
    assert.deepEqual(countsOf(done.Report)["post"], [3, 0]);
    assert.deepEqual(
      (await postsOf(ann)).map(({ text }) => text),
      ["c"],
    );
  });

  test("lists are imported by their kind, which a new account's limits bound", async () => {
    const [ann, bob, cat] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const list = `Account address\n${bob.handle}\n${cat.handle}\nnonsense\n`;
    await ann.badRequest("POST", "/imports", {
      multipart: formOf("x.csv", list),
    });
    await ann.badRequest("POST", "/imports", {
      multipart: formOf("x.csv", list, { kind: "friends" }),
    });
    await ann.badRequest("POST", "/imports", {
      multipart: formOf("x.csv", ""),
    });
    await ann.badRequest("POST", "/imports", { form: { kind: "follows" } });
    const admin = await kith().person({ role: "admin" });
    const limits = { newcomer_days: 30, newcomer_follows: 1 };
    await admin.put("/admin/server", limits);
    const sent = await upload(ann, "x.csv", list, { kind: "follows" });
    assert.equal(sent.Kind, "follows");
    await kith().settle();
    await ann.post(`/imports/${sent.ID}/start`);
    await kith().settle();
    const { Report } = await show(ann, sent);
    const [follow] = Report ?? [];
    assert.deepEqual([follow?.Kind, follow?.Added], ["follow", 1]);
    assert.deepEqual(
      follow?.LeftOut.map((it) => [it.Reason, it.Examples]),
      [
        ["limited", [cat.handle]],
        ["malformed", ["nonsense"]],
      ],
    );
    await admin.put("/admin/server", { newcomer_days: 0 });
  });

  test("a file that cannot be read fails with its reason, and is deleted", async () => {
    const ann = await kith().person();
    const bytes = (await zip(["lost"])).subarray(0, 200);
    const sent = await upload(ann, "archive.zip", bytes);
    await kith().settle();
    const failed = await show(ann, sent);
    assert.equal(failed.State, "failed");
    assert.match(failed.Failure ?? "", /^The archive /);
    assert.deepEqual(await files(), []);
  });

  test("an import whose job ended by itself says why, and goes on when it is started again", async () => {
    const ann = await kith().person();
    const { db, server, dataDir, clock } = kith();
    const lastAttempt = () =>
      db.transaction((tx) =>
        tx
          .updateTable("jobs")
          .set({ attempts: 9 })
          .where("kind", "=", "run-import")
          .execute(),
      );
    const sent = await upload(ann, "archive.zip", await zip(["again"]));
    // There is no folder to unpack it.
    const place = path.join(dataDir, "imports");
    await rm(place, { recursive: true, force: true });
    await writeFile(place, "");
    await lastAttempt();
    await kith().settle();
    const rehearsing = await show(ann, sent);
    assert.equal(rehearsing.State, "interrupted");
    assert.match(rehearsing.Failure ?? "", /gave it up after several attempts/);
    await rm(place);
    const anew = await ann.post<ImportRecord>(`/imports/${sent.ID}/start`);
    assert.deepEqual([anew.State, anew.Failure], ["rehearsing", null]);
    await kith().settle();
    assert.equal((await show(ann, sent)).State, "rehearsed");
    // The operator removes the job of the import itself.
    await ann.post(`/imports/${sent.ID}/start`);
    await server.queue.drop(null, { kind: "run-import" });
    const removed = await show(ann, sent);
    assert.equal(removed.State, "interrupted");
    assert.match(removed.Failure ?? "", /removed it from the queue/);
    const goesOn = await ann.post<ImportRecord>(`/imports/${sent.ID}/start`);
    assert.equal(goesOn.State, "importing");
    // It is lost without a trace.
    await db.transaction((tx) =>
      tx.deleteFrom("jobs").where("kind", "=", "run-import").execute(),
    );
    await server.prepare();
    clock.advance(DAY_MS / 8);
    await kith().settle();
    assert.equal((await show(ann, sent)).State, "interrupted");
    await ann.post(`/imports/${sent.ID}/start`);
    await kith().settle();
    const done = await show(ann, sent);
    assert.deepEqual([done.State, done.Failure], ["done", null]);
    assert.equal((await postsOf(ann)).length, 1);
  });

  test("an account has one import at a time, and its file has a limit", async () => {
    const ann = await kith().person();
    const large = Buffer.alloc(9 * 1024 ** 2 + 1, "x");
    const multipart = formOf("follows.csv", large);
    const too = await ann.call("POST", "/imports", { multipart });
    assert.equal(too.status, 413, too.text);
    await kith().settle();
    assert.deepEqual(await files(), []);
    const sent = await upload(ann, "follows.csv", "nobody\n");
    await ann.refused(
      ...(["POST", "/imports"] as const),
      { multipart: formOf("follows.csv", "nobody\n") },
      ...([409, "Conflict"] as const),
    );
    // Nobody needs it for a week.
    await kith().settle();
    kith().clock.advance(8 * DAY_MS);
    await kith().server.prepare();
    await kith().settle();
    assert.equal((await show(ann, sent)).State, "expired");
    assert.deepEqual(await files(), []);
    kith().clock.advance(8 * DAY_MS);
    await kith().settle();
    assert.equal((await ann.call("GET", `/imports/${sent.ID}`)).status, 404);
  });

  test("another person's import is not found, and nobody's token uploads", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const sent = await upload(ann, "follows.csv", `${bob.handle}\n`);
    await kith().settle();
    const at = `/imports/${sent.ID}`;
    await bob.notFound("GET", at);
    await bob.notFound("POST", `${at}/start`);
    await bob.notFound("POST", `${at}/stop`);
    await bob.notFound("DELETE", at);
    assert.deepEqual(await bob.get("/imports"), []);
    const multipart = formOf("follows.csv", "x");
    await kith().anonymous.unauthorized("POST", "/imports", { multipart });
    const { accounts } = kith().server.features;
    assert.ok(await accounts.find(ann.username));
    await ann.call("DELETE", "/users", { form: { password: PASSWORD } });
    for (let day = 0; day < 3; day += 1) {
      kith().clock.advance(DAY_MS);
      await kith().settle();
    }
    const rows = kith().db.read.selectFrom("imports").select("id");
    const left = (await rows.execute()).map(({ id }) => id);
    assert.ok(!left.includes(sent.ID));
  });

  test("the page uploads, shows the rehearsal, starts, and names what is left out", async () => {
    const { baseUrl, settle } = kith();
    const ann = await newUser(baseUrl, "uploader");
    const { csrf_token } = ann;
    const send = (fields: Record<string, string>, content: string) =>
      fetch(`${baseUrl}/settings/imports`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie: ann.cookies(), accept: "text/html" },
        body: formOf("follows.csv", content, fields),
      });
    const refused = await send({ csrf_token: "other" }, "nobody\n");
    assert.equal(refused.status, 403);
    assert.deepEqual(await files(), []);
    const empty = await send({ csrf_token, kind: "follows" }, "");
    assert.equal(empty.status, 422);
    assert.match(await empty.text(), /The file is empty\./);
    const sent = await send({ csrf_token }, `nobody\nnobody@${kith().host}\n`);
    assert.equal(sent.status, 302);
    const reading = await ann.get("/settings/imports");
    assert.match(reading.text, /The file is being read/);
    await settle();
    const { text } = await ann.get("/settings/imports");
    assert.match(text, /This would be imported/);
    assert.match(text, /Follows \(1\):\s+they cannot be read/);
    const [, start = ""] =
      /action="(\/settings\/imports\/\d+\/start)"/.exec(text) ?? [];
    assert.equal((await ann.post(start, { csrf_token: "x" })).status, 403);
    assert.equal((await ann.post(start, { csrf_token })).status, 302);
    await settle();
    const done = await ann.get("/settings/imports");
    assert.match(done.text, /The import is done/);
    assert.match(done.text, /nobody is found by that name/);
    const bob = await newUser(baseUrl, "onlooker");
    const other = await bob.post(start, { csrf_token: bob.csrf_token });
    assert.equal(other.status, 404);
  });
});
