import assert from "node:assert/strict";
import { createPublicKey, type KeyObject } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { runImportCommand } from "../../src/cli/commands/import-command.ts";
import {
  diasporaArchive,
  entity,
  guidOf,
  oldStatus,
} from "../support/imports/diaspora-archive.ts";
import { newUser } from "../support/pages/visit.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";

type Line = {
  readonly Kind: string;
  readonly Added: number;
  readonly Known: number;
  readonly LeftOut: readonly { readonly Reason: string }[];
};
type ImportRecord = {
  readonly ID: number;
  readonly State: string;
  readonly Moves: boolean;
  readonly Rehearsal: readonly Line[] | null;
  readonly Report: readonly Line[] | null;
};

const pemOf = (key: KeyObject): string =>
  key.export({ type: "pkcs1", format: "pem" }).toString();

/** Up to the public exponent, in the form of PKCS #1 for 2048 bits. */
const PUBLIC_BYTES = 273;

/** A private key with the public half of one person, and the private parts of another. */
function forgeKey(one: PodPerson, other: PodPerson): string {
  const [first, second] = [one, other].map(({ privateKey }) =>
    privateKey.export({ type: "pkcs1", format: "der" }),
  ) as [Buffer, Buffer];
  const forged = Buffer.concat([
    first.subarray(0, PUBLIC_BYTES),
    second.subarray(PUBLIC_BYTES),
  ]);
  forged.writeUInt16BE(forged.length - 4, 2);
  const lines = forged.toString("base64").replaceAll(/(.{64})/g, "$1\n");
  const [begin, end] = ["BEGIN", "END"].map(
    (it) => `-----${it} RSA PRIVATE KEY-----`,
  );
  const pem = `${begin}\n${lines}\n${end}\n`;
  const given = one.privateKey.export({ format: "jwk" }).n;
  assert.equal(createPublicKey(pem).export({ format: "jwk" }).n, given);
  return pem;
}

forEachDatabase((kind) => {
  const kith = useKith(kind, { env: { KITH_PROTOCOLS: "diaspora" } });
  let pod: DiasporaPod;
  let folder: string;
  let number = 0;
  before(async () => {
    pod = await DiasporaPod.start();
    folder = await mkdtemp(path.join(tmpdir(), "kith-import-move-"));
  });
  after(async () => {
    await pod.close();
    await rm(folder, { recursive: true });
  });

  const oldPerson = () => pod.person(`old${(number += 1)}`);

  const archiveOf = (
    { handle, privateKey }: Pick<PodPerson, "handle" | "privateKey">,
    pem = pemOf(privateKey),
    posts = [oldStatus(`by ${handle}`)],
  ) =>
    diasporaArchive({
      private_key: pem,
      profile: entity("profile", { author: handle }),
      posts,
    });

  const upload = async (who: TestPerson, archive: string) => {
    const multipart = new FormData();
    multipart.append("file", new Blob([archive]), "ann_diaspora_data.json");
    const { text } = await who.call("POST", "/imports", { multipart });
    const sent = JSON.parse(text) as ImportRecord;
    await kith().settle();
    return { ID: sent.ID, rehearsed: await show(who, sent) };
  };
  const show = (who: TestPerson, { ID }: Pick<ImportRecord, "ID">) =>
    who.get<ImportRecord>(`/imports/${ID}`);

  const accountIn = (report: ImportRecord["Report"]) => {
    const line = report?.find((it) => it.Kind === "account");
    return (
      line && [line.Added, line.Known, ...line.LeftOut.map((it) => it.Reason)]
    );
  };

  const start = (who: TestPerson, id: number, password?: string) =>
    who.call("POST", `/imports/${id}/start`, {
      form: password === undefined ? {} : { password },
    });

  const find = async (handle: string) =>
    (await kith().server.features.people.find({ handle })) ??
    assert.fail(handle);

  const assertStays = async ({ handle }: PodPerson) => {
    const found = await kith().server.features.people.find({ handle });
    assert.deepEqual(
      found && [found.state, found.movedToId],
      found && ["active", null],
    );
  };

  test("with the key of the archive and the password the old account moves here, once", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const old = oldPerson();
    const { aspects, posts } = kith().server.features;
    const { ID: oldId } =
      (await kith()
        .server.discovery.byHandle(old.handle)
        .then((it) => it && { ID: it.id })) ?? assert.fail();
    const bobs = { userId: bob.record.UserID, personId: bob.record.ID };
    const { id: aspectId } = await aspects.create(bobs.userId, "friends");
    await aspects.addPerson(bobs, aspectId, oldId);
    const guid = guidOf(`known ${old.handle}`);
    await old.deliver(kith(), {
      ...{ type: "status_message", author: old.handle, guid },
      ...{ createdAt: "2016-03-04T05:06:07Z", text: "known here" },
      ...{ public: true, photos: [] },
    });
    const both = [oldStatus(`known ${old.handle}`), oldStatus("only there")];
    const archive = archiveOf(old, undefined, both);
    const { ID, rehearsed } = await upload(ann, archive);
    assert.deepEqual(accountIn(rehearsed.Rehearsal), [1, 0]);
    await assertStays(old);
    assert.equal((await start(ann, ID, "wrong")).status, 401);
    assert.equal((await show(ann, { ID })).State, "rehearsed");
    const started = await start(ann, ID, PASSWORD);
    assert.equal(started.status, 200, started.text);
    assert.equal((JSON.parse(started.text) as ImportRecord).Moves, true);
    await kith().settle();
    const done = await show(ann, { ID });
    assert.deepEqual([done.State, accountIn(done.Report)], ["done", [1, 0]]);
    const moved = await find(old.handle);
    assert.deepEqual([moved.state, moved.movedToId], ["closed", ann.record.ID]);
    // What was known here is the same post, and not another one of that text.
    const own = await posts.listOf(ann.record.ID, bobs, {
      ...{ offset: 0, limit: 10 },
    });
    assert.deepEqual(own.map((it) => it.text).toSorted(), [
      "known here",
      "only there",
    ]);
    const holding = await aspects.listHolding(bobs.userId, ann.record.ID);
    assert.deepEqual(
      holding.map(({ name }) => name),
      ["friends"],
    );
    // The old server, which tells the others.
    const migrations = await pod.ofType("account_migration");
    const [sent] = migrations;
    assert.equal(sent?.entity.oldIdentity, old.handle);
    assert.equal(sent.sender, ann.handle);
    const rows = JSON.stringify(
      await kith().db.read.selectFrom("imports").selectAll().execute(),
    );
    assert.ok(!rows.includes("PRIVATE KEY"));
    // Once more: nothing new.
    const again = await upload(ann, archive);
    assert.deepEqual(accountIn(again.rehearsed.Rehearsal), [0, 1]);
    await start(ann, again.ID, PASSWORD);
    await kith().settle();
    const twice = await show(ann, { ID: again.ID });
    assert.deepEqual(accountIn(twice.Report), [0, 1]);
    const all = await pod.ofType("account_migration");
    assert.equal(all.length, migrations.length);
    // Nobody else takes it over afterwards.
    const later = await upload(bob, archive);
    assert.deepEqual(accountIn(later.rehearsed.Rehearsal), [0, 0, "refused"]);
  });

  test("without the password nothing moves, and a key that is not the account's moves nothing", async () => {
    const [ann, old, other] = [await kith().person(), oldPerson(), oldPerson()];
    const plain = await upload(ann, archiveOf(old));
    assert.equal((await start(ann, plain.ID)).status, 200);
    await kith().settle();
    const unasked = await show(ann, { ID: plain.ID });
    assert.deepEqual(accountIn(unasked.Report), [0, 0, "not_asked"]);
    await assertStays(old);
    const local = await kith().person();
    const wrong = [
      [archiveOf(old, pemOf(other.privateKey)), "wrong_key"],
      [archiveOf(old, forgeKey(old, other)), "wrong_key"],
      [archiveOf(old, old.publicKeyPem), "wrong_key"],
      [archiveOf(old, "x".repeat(100_000)), "wrong_key"],
      [
        archiveOf({ handle: local.handle, privateKey: other.privateKey }),
        "refused",
      ],
      [
        archiveOf({
          handle: `nobody@${pod.host}`,
          privateKey: old.privateKey,
        }),
        "unknown_person",
      ],
    ] as const;
    for (const [archive, reason] of wrong) {
      const { ID, rehearsed } = await upload(ann, archive);
      assert.deepEqual(accountIn(rehearsed.Rehearsal), [0, 0, reason]);
      assert.equal((await start(ann, ID, PASSWORD)).status, 400);
      assert.equal((await show(ann, { ID })).Moves, false);
      await ann.call("DELETE", `/imports/${ID}`);
    }
    await assertStays(old);
    await assertStays(other);
  });

  test("two people with one archive: one of them gets the account", async () => {
    const [ann, eve, old] = [
      await kith().person(),
      await kith().person(),
      oldPerson(),
    ];
    const both = [
      { who: ann, ...(await upload(ann, archiveOf(old))) },
      { who: eve, ...(await upload(eve, archiveOf(old))) },
    ];
    for (const { who, ID } of both) await start(who, ID, PASSWORD);
    await kith().settle();
    const lines = [];
    for (const { who, ID } of both)
      lines.push(accountIn((await show(who, { ID })).Report));
    assert.deepEqual(lines.toSorted(), [
      [0, 0, "refused"],
      [1, 0],
    ]);
    const { movedToId } = await find(old.handle);
    assert.equal(lines[0]?.[0] === 1, movedToId === ann.record.ID);
  });

  test("an import that was stopped moves nothing before it goes on", async () => {
    const [ann, old] = [await kith().person(), oldPerson()];
    const { ID } = await upload(ann, archiveOf(old));
    await start(ann, ID, PASSWORD);
    assert.equal((await ann.call("POST", `/imports/${ID}/stop`)).status, 200);
    await kith().settle();
    await assertStays(old);
    assert.equal((await start(ann, ID)).status, 200);
    await kith().settle();
    const { Moves, Report } = await show(ann, { ID });
    assert.deepEqual([Moves, accountIn(Report)], [true, [1, 0]]);
    assert.equal((await find(old.handle)).movedToId, ann.record.ID);
  });

  test("it is asked whether it was stopped just before the account moves", async () => {
    const [ann, old] = [await kith().person(), oldPerson()];
    const file = path.join(folder, "stopped.json");
    await writeFile(file, archiveOf(old));
    const user = { userId: ann.record.UserID, personId: ann.record.ID };
    const run = (goesOn: boolean) =>
      kith().server.imports.runPart({
        ...{ user, file, isRehearsal: false, moves: true },
        goesOn: async (_progress, isCertain) => !isCertain || goesOn,
      });
    const { done, total } = await run(false);
    assert.deepEqual([done, total], [1, 2]);
    await assertStays(old);
    const all = await run(true);
    assert.deepEqual([all.done, all.report.account?.added], [2, 1]);
  });

  test("the command moves it with --move, and its rehearsal says whether it can", async () => {
    const [ann, old] = [await kith().person(), oldPerson()];
    const file = path.join(folder, "command.json");
    await writeFile(file, archiveOf(old));
    const { features, imports } = kith().server;
    const run = async (options: { rehearse?: boolean; move?: boolean }) => {
      const lines: string[] = [];
      await runImportCommand(
        { ...features, imports },
        ["import", ann.username, file],
        { json: false, yes: false, ...options },
        (line) => void lines.push(line),
        () => undefined,
      );
      return lines.join("\n");
    };
    assert.match(await run({ rehearse: true }), /moves here\t1\t0\t0/);
    assert.match(await run({}), /1 left out, because --move was not given/);
    await assertStays(old);
    assert.match(await run({ move: true }), /moves here\t1\t0\t0/);
    assert.equal((await find(old.handle)).movedToId, ann.record.ID);
  });

  test("the page offers it where the key proves it, with the password", async () => {
    const { baseUrl } = kith();
    const ann = await newUser(baseUrl, "arriver");
    const { csrf_token } = ann;
    const old = oldPerson();
    const body = new FormData();
    body.append("csrf_token", csrf_token);
    body.append("file", new Blob([archiveOf(old)]), "x.json");
    const headers = { cookie: ann.cookies(), accept: "text/html" };
    const given = { method: "POST", redirect: "manual", headers } as const;
    await fetch(`${baseUrl}/settings/imports`, { ...given, body });
    await kith().settle();
    const { text } = await ann.get("/settings/imports");
    assert.match(text, /Move the old account here, too/);
    const [, at = ""] =
      /action="(\/settings\/imports\/\d+\/start)"/.exec(text) ?? [];
    const wrong = await ann.post(at, { csrf_token, password: "wrong" });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /The password is wrong\./);
    await assertStays(old);
    assert.equal(
      (await ann.post(at, { csrf_token, password: PASSWORD })).status,
      302,
    );
    await kith().settle();
    const done = await ann.get("/settings/imports");
    assert.match(done.text, /The old account/);
    assert.equal((await find(old.handle)).state, "closed");
  });
});
