import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Ajv } from "ajv";
import { parseHcard, parseWebfinger } from "@kith/diaspora";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { podPost } from "../support/remote/pod-entities.ts";
import { createLog, type Log } from "../../src/observability/log.ts";

const VERSIONS = ["1.0", "2.0", "2.1"] as const;
const SCHEMAS = new URL("../../../../test/vectors/nodeinfo/", import.meta.url);
const schemaOf = (version: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`schema-${version}.json`, SCHEMAS), "utf8"),
  ) as Record<string, unknown>;

/** A log that keeps its warnings. */
function listeningLog(): { log: Log; warnings: string[] } {
  const warnings: string[] = [];
  const log = createLog("silent");
  log.warn = (about: unknown, text?: unknown) =>
    void warnings.push(`${JSON.stringify(about)} ${String(text)}`);
  return { log, warnings };
}

forEachDatabase((kind) => {
  describe("an ordinary server", () => {
    const { log, warnings } = listeningLog();
    const kith = useKith(kind, { log });
    let ann: TestPerson;
    let pod: DiasporaPod;
    before(async () => {
      ann = await kith().person();
      pod = await DiasporaPod.start();
    });
    after(() => pod.close());

    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(kith().baseUrl + path, { headers, redirect: "manual" });
    const finger = async (query: string) =>
      (await get(`/.well-known/webfinger?resource=${query}`)).status;

    test("NodeInfo of every version is valid by its schema and says so in its type", async () => {
      const { links } = (await (await get("/.well-known/nodeinfo")).json()) as {
        links: { rel: string; href: string }[];
      };
      for (const version of VERSIONS) {
        const id = `http://nodeinfo.diaspora.software/ns/schema/${version}`;
        const link = links.find(({ rel }) => rel === id);
        const response = await fetch(link?.href ?? "");
        assert.equal(response.status, 200);
        const type = `application/json; profile="${id}#"`;
        assert.equal(response.headers.get("content-type"), type);
        const cors = response.headers.get("access-control-allow-origin");
        assert.equal(cors, "*");
        const validate = new Ajv({ allErrors: true }).compile(
          schemaOf(version),
        );
        const document: unknown = await response.json();
        assert.ok(validate(document), JSON.stringify(validate.errors));
        // The schema bites.
        assert.equal(validate({ ...(document as object), more: 1 }), false);
      }
    });

    test("the front page answers everyone here, without a redirect", async () => {
      for (const agent of ["diaspora-connection-tester", "curl/8"]) {
        const response = await get("/", { "user-agent": agent });
        assert.equal(response.status, 200);
        assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
      }
    });

    test("x-social-relay is complete", async () => {
      const response = await get("/.well-known/x-social-relay");
      assert.deepEqual(await response.json(), {
        subscribe: false,
        scope: "all",
        tags: [],
        protocols: {
          diaspora: { receive: `${kith().baseUrl}/receive/public` },
        },
      });
    });

    test("WebFinger takes a handle in every form", async () => {
      const [name, host] = ann.handle.split("@");
      const encoded = encodeURIComponent(ann.handle);
      for (const form of [
        `acct:${ann.handle}`,
        `acct%3A${encoded}`,
        `acct:${encoded}`,
        `ACCT:${ann.handle.toUpperCase()}`,
        ann.handle,
        encoded,
        `acct:${name?.toUpperCase() ?? ""}@${host ?? ""}`,
      ])
        assert.equal(await finger(form), 200, form);
      assert.equal(await finger(`acct:${name ?? ""}@localhost`), 404);
      assert.equal((await get("/.well-known/webfinger")).status, 400);
    });

    test("both endpoints accept a trailing slash, any type, and answer 202; for an unknown person, 404", async () => {
      const bob = pod.person("bob");
      const post = async (path: string, body: string, type?: string) => {
        const response = await fetch(kith().baseUrl + path, {
          method: "POST",
          body: new TextEncoder().encode(body),
          redirect: "manual",
          ...(type === undefined ? {} : { headers: { "content-type": type } }),
        });
        return `${response.status} ${await response.text()}`;
      };
      const types = [
        undefined,
        "application/magic-envelope+xml",
        "application/x-www-form-urlencoded",
        "application/json",
        "multipart/form-data",
        "text/plain; charset=utf-16",
        "nonsense",
      ];
      for (const type of types)
        for (const slash of ["", "/"]) {
          const entity = podPost(bob);
          const door = `/receive/users/${ann.record.Guid}${slash}`;
          const envelope = await bob.seal(entity);
          assert.equal(
            await post(`/receive/public${slash}`, envelope, type),
            "202 ",
          );
          assert.equal(await post(door, "{}", type), "202 ");
          await kith().settle();
          const { posts } = kith().server.features;
          assert.ok(await posts.find({ guid: entity.guid }), String(type));
        }
      const absent = await post(`/receive/users/${"0".repeat(32)}/`, "{}");
      assert.match(absent, /^404 /);
    });

    test("a handle with a port is asked at that port", async () => {
      const carol = pod.person("carol");
      assert.match(carol.handle, /^carol@localhost:\d+$/);
      await ann.post("/search", { handle: `@${carol.handle.toUpperCase()}` });
      const { people } = kith().server.features;
      const found = await people.find({ handle: carol.handle });
      assert.equal(found?.addresses.seedLocation, `${pod.origin}/`);
    });

    test("a handle's host may be another than the server's: that is asked, this is written to", async () => {
      const elsewhere = await DiasporaPod.start();
      const dan = elsewhere.person("dan");
      const handle = `dan@${pod.host}`;
      pod.put(
        "/.well-known/webfinger",
        dan.webfinger().replaceAll(dan.handle, handle),
        "application/jrd+json",
      );
      await ann.post("/search", { handle });
      pod.serves.clear();
      const { people } = kith().server.features;
      const found = await people.find({ handle });
      assert.equal(found?.addresses.seedLocation, `${elsewhere.origin}/`);
      const before = pod.posted.length;
      await ann.post("/posts", { post: `hello @{${handle}}` });
      await kith().settle();
      assert.equal(elsewhere.posted.length, 1);
      assert.equal(pod.posted.length, before);
      await elsewhere.close();
    });

    test("another key or Guid shown later is not accepted, and the operator is warned", async () => {
      const erin = pod.person("erin");
      const { discovery, features } = kith().server;
      const first = await discovery.byHandle(erin.handle);
      kith().clock.advance(25 * 3_600_000);
      const again = pod.person("impostor");
      erin.publicKeyPem = again.publicKeyPem;
      await discovery.byHandle(erin.handle);
      const { handle } = erin;
      assert.deepEqual(await features.people.find({ handle }), first);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /"differs":"key"/);
      assert.ok(warnings[0]?.includes(erin.handle));
      erin.publicKeyPem = first?.publicKeyPem ?? "";
      erin.guid = again.guid;
      await discovery.search(erin.handle);
      const after = await features.people.find({ handle });
      assert.equal(after?.guid, first?.guid);
      assert.match(warnings.at(-1) ?? "", /"differs":"guid"/);
    });
  });

  describe("a server whose address begins with www", () => {
    const kith = useKith(kind, {
      env: {
        KITH_BASE_URL: "https://www.kith.example",
        KITH_REGISTRATION: "open",
      },
    });

    test("handles are without it, addresses with it", async () => {
      const { accounts, people } = kith().server.features;
      await accounts.signUp({ username: "ann", password: "correct horse" });
      const handle = "ann@kith.example";
      const person = await people.find({ handle });
      assert.ok(person);
      const hcard = `https://www.kith.example/hcard/users/${person.guid}`;
      for (const resource of [handle, `acct:${handle}`]) {
        const url = `${kith().baseUrl}/.well-known/webfinger?resource=${resource}`;
        const answer = await fetch(url);
        const found = parseWebfinger(await answer.text(), handle);
        assert.equal(found.seedLocation, "https://www.kith.example/");
        assert.equal(found.hcardUrl, hcard);
      }
      const card = await fetch(`${kith().baseUrl}/hcard/users/${person.guid}`);
      const { guid, imageUrl } = parseHcard(await card.text());
      assert.equal(guid, person.guid);
      assert.match(imageUrl, /^https:\/\/www\.kith\.example\//);
    });

    test("the front page answers under both names, without a redirect", async () => {
      for (const host of ["www.kith.example", "kith.example"]) {
        const response = await fetch(`${kith().baseUrl}/`, {
          headers: { host },
          redirect: "manual",
        });
        assert.equal(response.status, 200, host);
      }
    });
  });
});
