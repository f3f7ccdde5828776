import assert from "node:assert/strict";
import { test } from "node:test";
import { visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";

const ORIGIN = { origin: "https://program.example" };

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(kith().baseUrl + path, { redirect: "manual", ...init });

  test("a program on a page from elsewhere may call the API with a token, never with a cookie", async () => {
    const ann = await kith().person({ handle: "ann" });
    const preflight = await ask("/api/v0/posts", {
      method: "OPTIONS",
      headers: {
        ...ORIGIN,
        "access-control-request-method": "PUT",
        "access-control-request-headers": "access_token,content-type",
      },
    });
    assert.equal(`${preflight.status}${await preflight.text()}`, "204");
    const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
    for (const name of [
      "access_token",
      "authorization",
      "content-type",
      "x-otp",
      "idempotency-key",
    ])
      assert.ok(allowed.toLowerCase().split(", ").includes(name), name);
    assert.equal(preflight.headers.get("access-control-max-age"), "7200");
    const answers = [
      preflight,
      await ask("/api/v0/posts", {
        headers: { ...ORIGIN, access_token: ann.token },
      }),
      await ask("/api/v0/posts", { headers: ORIGIN }),
      await ask("/api/v0/nothing", { headers: ORIGIN }),
      await ask("/api/v0/posts?offset=-1", {
        headers: { ...ORIGIN, access_token: ann.token },
      }),
      await ask("/api/v0/oauth/tokens", { method: "POST", headers: ORIGIN }),
      await ask("/api/v0/openapi.json", { headers: ORIGIN }),
      await ask("/.well-known/nodeinfo", { headers: ORIGIN }),
      await ask("/.well-known/webfinger?resource=acct:nobody@localhost", {
        headers: ORIGIN,
      }),
    ];
    for (const { url, headers } of answers) {
      assert.equal(headers.get("access-control-allow-origin"), "*", url);
      assert.equal(headers.get("access-control-allow-credentials"), null, url);
      const exposed = headers.get("access-control-expose-headers") ?? "";
      assert.match(exposed, /\bRetry-After\b.*\bWWW-Authenticate\b/, url);
    }
    const plain = await ask("/api/v0/posts", { method: "OPTIONS" });
    assert.equal(plain.status, 501);
  });

  test("pages with sessions allow no other origin, and a session does not open the API", async () => {
    await kith().person({ handle: "ben" });
    const session = visitor(kith().baseUrl);
    await session.post("/users/sign_in", {
      username: "ben",
      password: PASSWORD,
    });
    const cookie = { cookie: session.cookies(), ...ORIGIN };
    for (const path of ["/home", "/settings/security", "/", "/users/sign_in"]) {
      const page = await ask(path, { headers: cookie });
      assert.equal(page.headers.get("access-control-allow-origin"), null, path);
      const request = { ...ORIGIN, "access-control-request-method": "POST" };
      const preflight = await ask(path, {
        method: "OPTIONS",
        headers: request,
      });
      assert.equal(preflight.headers.get("access-control-allow-origin"), null);
      assert.equal(preflight.headers.get("access-control-allow-methods"), null);
    }
    for (const path of ["/posts", "/settings", "/notifications", "/export"]) {
      const { status } = await ask(`/api/v0${path}`, { headers: cookie });
      assert.equal(status, 401, path);
    }
  });

  test("responses to a token are not cacheable, including errors", async () => {
    const carol = await kith().person({ handle: "carol" });
    const sent = { headers: { access_token: carol.token } };
    const post = await carol.post<{ Guid: string }>("/posts", { post: "x" });
    const wrong = new URLSearchParams({ grant_type: "password" });
    const all = [
      await ask("/api/v0/posts", sent),
      await ask(`/api/v0/posts?access_token=${carol.token}`),
      await ask(`/api/v0/posts/${post.Guid}`, sent),
      await ask("/api/v0/posts/none", sent),
      await ask("/api/v0/posts?offset=-1", sent),
      await ask("/api/v0/posts"),
      await ask("/api/v0/nothing", sent),
      await ask("/api/v0/oauth/tokens", { method: "POST", body: wrong }),
      await ask("/api/v0/export", sent),
      await ask("/api/v1/ap/person/carol/inbox", sent),
      await ask("/media/none.png", sent),
    ];
    for (const { url, status, headers } of all) {
      const what = `${status} ${url}`;
      assert.match(headers.get("cache-control") ?? "", /\bno-store\b/, what);
      const names = (headers.get("vary") ?? "").toLowerCase().split(/, */);
      assert.ok(names.includes("authorization"), what);
      assert.ok(names.includes("access_token"), what);
    }
    const accept = { accept: "application/activity+json" };
    const object = await ask(`/posts/${post.Guid}`, { headers: accept });
    const vary = (object.headers.get("vary") ?? "").toLowerCase();
    assert.match(vary, /\baccept\b/);
    assert.match(vary, /\bauthorization\b/);
    const document = await ask("/api/v0/openapi.json");
    assert.match(document.headers.get("cache-control") ?? "", /^public/);
  });

  test("an address with escapes or repeated slashes is that of the API all the same", async () => {
    const dora = await kith().person({ handle: "dora" });
    const sent = { headers: { access_token: dora.token } };
    for (const start of [
      "/%61pi",
      "//api",
      "/%2561pi",
      "/api/",
      "///%61%70%69",
    ]) {
      const isApi = start !== "/%2561pi";
      const served = await ask(`${start}/v0/posts`, sent);
      assert.equal(served.status, isApi ? 200 : 404, start);
      const none = await ask(`${start}/v0/nothing`, sent);
      const text = await none.text();
      if (isApi)
        assert.equal(
          `${none.status} ${text}`,
          '501 {"error":"Not implemented"}',
          start,
        );
      else assert.equal(none.status, 404);
    }
  });
});
