import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { StallingDoor } from "../../packages/server/test/support/pooler/stalling-door.ts";
import { ApiClient } from "../support/api-client.ts";
import { KithProcess } from "../support/kith-process.ts";

const ROUNDS = 5;
const SIGNATURE =
  'keyId="https://other.example/ann#main-key",algorithm="rsa-sha256",headers="(request-target) host date digest",signature="AA=="';

describe(
  "while PostgreSQL is away",
  { concurrency: false, timeout: 120_000 },
  () => {
    const settings: Record<string, string> = {};
    let kith: KithProcess;
    let door: StallingDoor;
    let token: string;

    before(async () => {
      kith = await KithProcess.start({
        ...{ database: "postgres", protocols: "activitypub,diaspora" },
        settings,
      });
      await kith.stop();
      assert.ok(kith.location.kind === "postgres");
      door = await StallingDoor.open(kith.location.url);
      settings["KITH_DATABASE_URL"] = door.url;
      await kith.start();
      ({ token } = await ApiClient.signUp(kith.baseUrl, "ann"));
      await door.close();
    });
    after(() => kith?.remove());

    const ask = (path: string, options?: RequestInit) =>
      fetch(kith.baseUrl + path, options);
    const asJson = { accept: "application/json" };
    const asProgram = () => ({ headers: { access_token: token, ...asJson } });

    test("requests get 503 and a time to come back, and few lines of the log say so", async () => {
      const since = kith.output.length;
      for (let round = 0; round < ROUNDS; round += 1) {
        const api = await ask("/api/v0/posts", asProgram());
        assert.deepEqual(await api.json(), { error: "Service unavailable" });
        const page = await ask("/posts/0123456789abcdef", {
          headers: { accept: "text/html" },
        });
        assert.match(await page.text(), /<h1>/);
        const app = await ask("/api/v1/accounts/verify_credentials", {
          headers: { authorization: `Bearer ${token}` },
        });
        const signIn = await ask("/oauth/token", {
          method: "POST",
          body: new URLSearchParams({
            grant_type: "authorization_code",
            ...{ code: "x", client_id: "x", client_secret: "x" },
            redirect_uri: "https://app.example/",
          }),
        });
        const calendar = await ask("/dav/", {
          method: "PROPFIND",
          headers: { authorization: `Basic ${btoa("ann:correct horse")}` },
        });
        for (const answer of [api, page, app, signIn, calendar])
          check(answer, answer.url);
      }
      const lines = kith.output.slice(since).trim().split("\n");
      const reported = lines.filter((line) =>
        line.includes("cannot be reached"),
      );
      assert.equal(reported.length, 1, lines.join("\n").slice(0, 4_000));
      assert.ok(lines.length <= 4, lines.join("\n").slice(0, 4_000));
    });

    test("messages of other servers get 503, and so come again", async () => {
      const body = JSON.stringify({
        "@context": "https://www.w3.org/ns/activitystreams",
        id: "https://other.example/1",
        ...{ type: "Like", object: `${kith.baseUrl}/x` },
        actor: "https://other.example/ann",
      });
      const signed = await ask("/api/v1/ap/inbox", {
        ...{ method: "POST", body },
        headers: {
          "content-type": "application/activity+json",
          digest: "SHA-256=AA==",
          signature: SIGNATURE,
        },
      });
      check(signed, "ActivityPub");
      const xml = await ask("/receive/public", {
        method: "POST",
        headers: { "content-type": "application/magic-envelope+xml" },
        body: ENVELOPE,
      });
      check(xml, "diaspora*");
    });
  },
);

const ENVELOPE = `<me:env xmlns:me="http://salmon-protocol.org/ns/magic-env"><me:data type="application/xml">${btoa("<like><author>ann@other.example</author><guid>0123456789abcdef</guid></like>")}</me:data><me:encoding>base64url</me:encoding><me:alg>RSA-SHA256</me:alg><me:sig key_id="${btoa("ann@other.example")}">AA==</me:sig></me:env>`;

function check({ status, headers }: Response, name: string): void {
  assert.equal(status, 503, name);
  assert.match(headers.get("retry-after") ?? "", /^\d+$/, name);
}
