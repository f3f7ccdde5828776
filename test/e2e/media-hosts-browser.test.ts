import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { S3Server } from "../../packages/server/test/support/storage/s3-server.ts";
import type { PhotoRecord } from "../../packages/server/test/support/server/wire.ts";
import { launchBrowser, listenForComplaints } from "../support/browser.ts";
import { runKith } from "../support/kith-command.ts";
import { KithProcess } from "../support/kith-process.ts";
import { Resident } from "../support/resident.ts";

describe(
  "files at signed addresses and at a host of their own",
  { concurrency: false },
  () => {
    const settings: Record<string, string> = {};
    let s3: S3Server;
    let kith: KithProcess;
    let browser: Browser | undefined;
    let ann: Resident;
    let bob: Resident;
    let limited: PhotoRecord;
    let open: PhotoRecord;

    before(async () => {
      s3 = await S3Server.start();
      settings["KITH_MEDIA_URL"] = s3.url();
      settings["KITH_MEDIA_SIGNED"] = "on";
      kith = await KithProcess.start({
        ...{ database: "sqlite", protocols: "activitypub,diaspora", settings },
      });
      ann = await Resident.settle(kith, "ann");
      bob = await Resident.settle(kith, "bob");
      const friends = await ann.gather("friends", []);
      limited = await ann.upload("For friends", friends);
      await ann.publish("For friends", { aspect: friends, photo: limited });
      open = await ann.upload("For everybody");
      await ann.publish("For everybody", { photo: open });
    });
    after(async () => {
      await browser?.close();
      await kith.remove();
      await s3.close();
    });

    const ask = (
      { Url }: PhotoRecord,
      who: Resident | null,
      more: Record<string, string> = {},
      method = "GET",
    ) =>
      fetch(Url, {
        ...{ method, redirect: "manual" },
        headers: { ...(who && { access_token: who.api.token }), ...more },
      });
    const addressOf = (answer: Response) => {
      assert.equal(answer.status, 302);
      return answer.headers.get("location") ?? assert.fail("no address");
    };

    test("a reader of a limited picture is sent to the store, for minutes", async () => {
      const answer = await ask(limited, ann);
      const address = addressOf(answer);
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
      assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
      assert.ok(address.startsWith(`http://${s3.host}/`), address);
      const { searchParams } = new URL(address);
      assert.equal(searchParams.get("X-Amz-Expires"), "300");
      const sent = await fetch(address);
      assert.equal(sent.status, 200);
      assert.equal(sent.headers.get("content-type"), "image/png");
      assert.ok((await sent.arrayBuffer()).byteLength > 0);
      const [one = "", ...others] = s3.objects.keys();
      const other = others.find((key) => !address.includes(key)) ?? one;
      const path = new URL(address).pathname;
      const forged = address.replace(path, `/uploads/${other}`);
      assert.equal((await fetch(forged)).status, 403);
      assert.equal(s3.refusals.splice(0).length, 1);
    });

    test("nobody else gets an address", async () => {
      for (const who of [bob, null])
        assert.equal((await ask(limited, who)).status, 404);
    });

    test("the head of a file, and the news that it is unchanged, come from here", async () => {
      const head = await ask(limited, ann, {}, "HEAD");
      assert.equal(head.status, 200);
      assert.ok(Number(head.headers.get("content-length")) > 0);
      const etag = head.headers.get("etag") ?? "";
      const again = await ask(limited, ann, { "if-none-match": etag });
      assert.equal(again.status, 304);
    });

    test("at the host of its own there is what everybody may see, and nothing else", async () => {
      await kith.stop();
      const { port } = new URL(kith.baseUrl);
      const host = `media.localhost:${port}`;
      settings["KITH_MEDIA_HOST"] = `http://${host}`;
      await kith.start();
      const answer = await ask(open, null);
      const { pathname } = new URL(open.Url);
      assert.equal(addressOf(answer), `http://${host}${pathname}`);
      assert.equal(answer.headers.get("cache-control"), "public, max-age=3600");
      const there = await askAt(host, pathname, ann.api.token);
      assert.equal(there.status, 200);
      assert.match(there.caching, /^public, max-age=31536000/);
      const hidden = new URL(limited.Url).pathname;
      for (const path of [
        hidden,
        "/",
        "/users/sign_in",
        "/api/v0/posts",
        "/.well-known/nodeinfo",
      ])
        assert.equal(
          (await askAt(host, path, ann.api.token)).status,
          404,
          path,
        );
      assert.match(addressOf(await ask(limited, ann)), new RegExp(s3.host));
    });

    test("kith doctor says whether that host leads here under its name", async () => {
      const findingOf = async (host: string) => {
        const more = { ...kith.settings, KITH_MEDIA_HOST: host };
        const { output } = await runKith(["doctor", "--json"], more);
        const { findings } = JSON.parse(output) as {
          findings: { check: string; state: string }[];
        };
        return findings.find(({ check }) => check === "host of files")?.state;
      };
      const { port } = new URL(kith.baseUrl);
      assert.equal(await findingOf(`http://media.localhost:${port}`), "ok");
      // This name is not the one that the server was started with.
      assert.equal(await findingOf(`http://127.0.0.1:${port}`), "failed");
      assert.equal(await findingOf("http://media.localhost:1"), "failed");
      assert.equal(await findingOf(""), "skipped");
    });

    test("pages show both", async () => {
      browser = await launchBrowser();
      const page = await browser.newPage();
      const complaints = listenForComplaints(page);
      await page.goto(`${kith.baseUrl}/users/sign_in`);
      await page.getByLabel("Username").fill("ann");
      await page.getByLabel("Password").fill("correct horse");
      await page.getByRole("button", { name: /^Sign in$/ }).click();
      await page.waitForURL(`${kith.baseUrl}/**`);
      const show = (url: string) =>
        page.evaluate<number>(
          `new Promise((done, fail) => { const image = new Image();
          image.onload = () => done(image.naturalWidth);
          image.onerror = () => fail(new Error("not shown"));
          image.src = ${JSON.stringify(url)}; })`,
        );
      assert.equal(await show(limited.Url), 24);
      assert.equal(await show(open.Url), 24);
      assert.deepEqual(complaints, []);
    });

    test("signed addresses without a store, and the base URL as that host, are refused at the start", async () => {
      const run = (more: Record<string, string>) =>
        runKith(["config", "show"], { ...kith.settings, ...more });
      const alone = await run({ KITH_MEDIA_URL: "", KITH_MEDIA_SIGNED: "on" });
      assert.notEqual(alone.code, 0);
      assert.match(alone.complaint, /KITH_MEDIA_SIGNED .* KITH_MEDIA_URL/);
      const same = await run({ KITH_MEDIA_HOST: kith.baseUrl });
      assert.notEqual(same.code, 0);
      assert.match(same.complaint, /KITH_MEDIA_HOST must be another host/);
    });

    /** Asks this server under another name, as a CDN does. */
    async function askAt(
      host: string,
      path: string,
      token: string,
    ): Promise<{ status: number; caching: string }> {
      const { hostname, port } = new URL(kith.baseUrl);
      const headers = { host, access_token: token };
      return new Promise((resolve, reject) => {
        get({ hostname, port, path, headers }, (answer) => {
          answer.resume();
          resolve({
            status: answer.statusCode ?? 0,
            caching: String(answer.headers["cache-control"]),
          });
        }).on("error", reject);
      });
    }
  },
);
