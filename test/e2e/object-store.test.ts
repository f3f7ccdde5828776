import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { S3Server } from "../../packages/server/test/support/storage/s3-server.ts";
import type { PhotoRecord } from "../../packages/server/test/support/server/wire.ts";
import { runKith } from "../support/kith-command.ts";
import { eventually, KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";

describe("uploads in an object store", { concurrency: false }, () => {
  const settings: Record<string, string> = {};
  let s3: S3Server;
  let kith: KithProcess;
  let ann: Resident;
  let old: PhotoRecord;
  before(async () => {
    s3 = await S3Server.start();
    kith = await KithProcess.start({
      ...{ database: "sqlite", protocols: "activitypub,diaspora", settings },
    });
    ann = await Resident.settle(kith, "ann");
    old = await ann.upload("From before");
    await kith.stop();
    settings["KITH_MEDIA_URL"] = s3.url();
    await kith.start();
  });
  after(async () => {
    await kith.remove();
    await s3.close();
  });

  const headers = () => ({ access_token: ann.api.token });
  const pictureOf = ({ Url }: PhotoRecord) =>
    fetch(Url, { headers: headers() });
  const sizeOf = async (photo: PhotoRecord) => {
    const answer = await pictureOf(photo);
    assert.equal(answer.status, 200);
    return (await answer.arrayBuffer()).byteLength;
  };
  const run = async (...words: string[]) => {
    const ended = await runKith(words, { ...kith.settings, ...settings });
    assert.equal(ended.code, 0, ended.complaint);
    return ended.output;
  };
  const count = async () =>
    JSON.parse(await run("media", "--json")) as Record<
      "folder" | "objects",
      { files: number }
    >;

  test("new ones are there, and those from before are found in the folder", async () => {
    assert.equal(s3.objects.size, 0);
    assert.ok((await sizeOf(old)) > 0);
    const photo = await ann.upload("A new one");
    assert.ok(s3.objects.size > 0);
    assert.ok((await sizeOf(photo)) > 0);
    const part = await fetch(photo.Url, {
      headers: { ...headers(), range: "bytes=0-3" },
    });
    assert.equal(part.status, 206);
    assert.equal((await part.arrayBuffer()).byteLength, 4);
    const { folder, objects } = await count();
    assert.ok(folder.files > 0);
    assert.equal(objects.files, s3.objects.size);
  });

  test("all are moved beside the running server, and none is lost", async () => {
    const size = await sizeOf(old);
    assert.match(await run("media", "move"), /^Moved: \d+ files/);
    const { folder, objects } = await count();
    assert.equal(folder.files, 0);
    assert.equal(objects.files, s3.objects.size);
    assert.equal(await sizeOf(old), size);
    assert.match(await run("media", "move"), /^Moved: 0 files/);
    assert.match(await run("storage"), new RegExp(`${s3.objects.size} files`));
  });

  test("while it does not answer, uploads are refused and pictures fail, until it is back", async () => {
    s3.failures.push(...Array<number>(40).fill(503));
    const answer = await pictureOf(old);
    assert.ok(answer.status >= 500, String(answer.status));
    await assert.rejects(ann.upload("Into nothing"));
    const failing = await runKith(["media"], { ...kith.settings, ...settings });
    assert.match(
      failing.complaint,
      /^kith: The object store [^\n]*503[^\n]*\n$/,
    );
    s3.failures.length = 0;
    await eventually(() => sizeOf(old));
    assert.ok(await ann.upload("Again"));
  });

  test("kith doctor says whether the store lets it in", async () => {
    const findingOf = async (url: string) => {
      const more = { ...kith.settings, KITH_MEDIA_URL: url };
      const { output } = await runKith(["doctor", "--json"], more);
      const { findings } = JSON.parse(output) as {
        findings: { check: string; state: string }[];
      };
      return findings.find(({ check }) => check === "uploads")?.state;
    };
    assert.equal(await findingOf(s3.url()), "ok");
    assert.equal(await findingOf(s3.url("wrong")), "failed");
    assert.equal(s3.refusals.splice(0).length, 1);
    assert.equal(await findingOf(""), "skipped");
  });

  test("a backup has them, and a deleted photo is gone there", async () => {
    const target = mkdtempSync(path.join(tmpdir(), "kith-objects-"));
    try {
      await run("backup", path.join(target, "all"));
      const [, made = ""] =
        /^(\S+): /.exec(await run("backup", path.join(target, "more"))) ?? [];
      const manifest = readFileSync(path.join(made, "manifest.json"), "utf8");
      const { files } = JSON.parse(manifest) as { files: { path: string }[] };
      const media = files.filter((file) => file.path.startsWith("media/"));
      assert.equal(media.length, s3.objects.size);
      await run("backup", "verify", made);
    } finally {
      rmSync(target, { recursive: true, force: true });
    }
    const [name = ""] = /[0-9a-f]{32}/.exec(path.basename(old.Url)) ?? [];
    const sizesOfOld = () =>
      [...s3.objects.keys()].filter((key) => key.includes(name));
    assert.ok(name !== "" && sizesOfOld().length > 1);
    await ann.api.delete(`/photos/${old.ID}`);
    // All sizes: one that is deleted later would be missing from the counts below.
    await eventually(() => {
      assert.deepEqual(sizesOfOld(), []);
      return Promise.resolve();
    });
    assert.equal((await pictureOf(old)).status, 404);
  });

  test("they come back into the folder", async () => {
    const left = s3.objects.size;
    await run("media", "move", "back");
    assert.equal(s3.objects.size, 0);
    assert.equal((await count()).folder.files, left);
    await kith.stop();
    delete settings["KITH_MEDIA_URL"];
    await kith.start();
    assert.ok(await ann.upload("In the folder again"));
    const refused = await runKith(["media", "move"], kith.settings);
    assert.match(refused.complaint, /Set KITH_MEDIA_URL/);
  });

  test("the key is nowhere in the output, and no request was refused", () => {
    assert.ok(!kith.output.includes("with%20signs"));
    assert.ok(!kith.output.includes("with signs"));
    assert.deepEqual(s3.refusals, []);
  });
});
