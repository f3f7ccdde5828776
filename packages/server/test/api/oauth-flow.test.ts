import assert from "node:assert/strict";
import { test } from "node:test";
import { newUser, visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import {
  authorizeUrl,
  CALLBACK,
  callWith,
  decideOn,
  exchange,
  getAppToken,
  getCode,
  newVerifier,
  readJson,
  readRedirect,
  registerClient,
  sendForm,
} from "../support/sign-in/oauth-app.ts";
import { browsing, enrol } from "../support/sign-in/second-factor.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const url = (path: string) => kith().baseUrl + path;
  const user = () => newUser(kith().baseUrl, `user${(users += 1)}`);
  let users = 0;

  test("an app registers with a form, JSON or a multipart form, and learns its credentials once", async () => {
    const wanted = {
      client_name: " A  \u202eReader ",
      redirect_uris: `${CALLBACK}\nreader://x urn:ietf:wg:oauth:2.0:oob`,
      scopes: "read write:statuses unknown",
      website: "https://app.example",
    };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(wanted))
      multipart.append(name, value);
    const list = wanted.redirect_uris.split(/\s/);
    const json = (body: object) => ({
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    for (const init of [
      { body: new URLSearchParams(wanted) },
      { body: multipart },
      json(wanted),
      json({ ...wanted, redirect_uris: list }),
    ]) {
      const answer = await readJson(
        await fetch(url("/api/v1/apps"), { method: "POST", ...init }),
      );
      assert.equal(answer.status, 200, JSON.stringify(answer.json));
      const { client_id, client_secret, id, vapid_key, ...app } = answer.json;
      assert.match(String(client_id), /^[\w-]{43}$/);
      assert.match(String(client_secret), /^[\w-]{43}$/);
      assert.match(String(id), /^\d+$/);
      assert.match(String(vapid_key), /^[\w-]{87}$/);
      assert.deepEqual(app, {
        name: "A Reader",
        website: "https://app.example/",
        scopes: ["read", "write:statuses"],
        redirect_uris: list,
        redirect_uri: list.join("\n"),
        client_secret_expires_at: 0,
      });
    }
    const bare = await readJson(
      await fetch(url("/api/v1/apps"), {
        method: "POST",
        ...json({ client_name: "x", redirect_uris: CALLBACK, website: null }),
      }),
    );
    assert.equal(bare.json["website"], null);
    assert.deepEqual(bare.json["scopes"], ["read"]);
  });

  test("a person lets an app in, which gets a token of its scopes", async () => {
    const app = await registerClient(kith().baseUrl);
    const ann = await user();
    const { verifier, challenge } = newVerifier();
    const answer = await decideOn(
      ann,
      authorizeUrl(app, {
        scope: "read write:statuses",
        state: "a b&c=é",
        code_challenge: challenge,
        code_challenge_method: "S256",
      }),
    );
    const back = readRedirect(answer);
    assert.equal(back.get("state"), "a b&c=é");
    assert.deepEqual([...back.keys()], ["code", "state"]);
    const { json, headers, status } = await exchange(
      kith().baseUrl,
      app,
      back.get("code") ?? "",
      { code_verifier: verifier },
    );
    assert.equal(status, 200);
    assert.equal(headers.get("cache-control"), "no-store");
    const { access_token, created_at, ...rest } = json;
    assert.deepEqual(rest, {
      token_type: "Bearer",
      scope: "read write:statuses",
    });
    assert.equal(created_at, Math.floor(kith().clock.now().getTime() / 1000));
    const token = String(access_token);
    const posts = await callWith(url("/api/v0/posts"), token);
    assert.equal(posts.status, 200);
    const verified = await readJson(
      await callWith(url("/api/v1/apps/verify_credentials"), token),
    );
    assert.equal(verified.json["name"], "Reader");
    assert.equal(verified.json["client_secret"], undefined);
    assert.equal(verified.json["client_id"], undefined);
    const stored = JSON.stringify(await kith().snapshot());
    for (const secret of [token, app.secret, back.get("code") ?? ""])
      assert.ok(!stored.includes(secret));
  });

  test("somebody who is not signed in signs in and comes back with every parameter", async () => {
    const app = await registerClient(kith().baseUrl, {
      redirect_uris: "reader://",
    });
    await kith().signUp("nora");
    const nora = visitor(kith().baseUrl);
    const state = "s".repeat(1500);
    const path = authorizeUrl(app, { state, lang: "de" });
    const signIn = await nora.get(path.replace("authorize?", "authorize/?"));
    assert.equal(signIn.status, 200);
    assert.match(signIn.text, /<html lang="de"/);
    const to = /name="to" value="([^"]+)"/
      .exec(signIn.text)?.[1]
      ?.replaceAll("&amp;", "&");
    assert.ok(to);
    const there = await nora.post("/users/sign_in", {
      ...{ username: "nora", password: PASSWORD, to },
    });
    assert.equal(there.status, 302);
    const answer = await decideOn(nora, there.headers.get("location") ?? "");
    assert.equal(readRedirect(answer, "reader://?code=").get("state"), state);
  });

  test("a second factor is asked for on the way", async () => {
    const app = await registerClient(kith().baseUrl);
    const ida = await browsing(kith(), "ida");
    const { app: device } = await enrol(kith(), ida);
    const path = authorizeUrl(app, { state: "kept", force_login: "true" });
    const page = await ida.get(path);
    assert.match(page.text, /name="password"/);
    const to = /name="to" value="([^"]+)"/
      .exec(page.text)?.[1]
      ?.replaceAll("&amp;", "&");
    assert.ok(to && !to.includes("force_login"));
    const { username, password } = ida;
    const first = await ida.post("/users/sign_in", { username, password, to });
    const second = new URL(first.headers.get("location") ?? "", url("/"));
    const last = await ida.post("/users/sign_in/second", {
      code: device.code(1),
      to: second.searchParams.get("to") ?? "",
    });
    const answer = await decideOn(ida, last.headers.get("location") ?? "");
    assert.equal(readRedirect(answer).get("state"), "kept");
  });

  test("the page names the app, its site, its wishes in words and the account", async () => {
    const app = await registerClient(kith().baseUrl, {
      client_name: "<b>Evil</b>",
      website: "https://site.example/path",
    });
    const ann = await user();
    const path = authorizeUrl(app, { scope: "read read:lists write:media" });
    const page = await ann.get(path);
    for (const part of [
      "&lt;b&gt;Evil&lt;/b&gt;",
      ">site.example<",
      "read everything",
      "delete your photos",
      `${ann.username}@${kith().host}`,
      "app.example",
    ])
      assert.ok(page.text.includes(part), part);
    assert.doesNotMatch(page.text, /see your aspects/);
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /form-action|script-src/);
    assert.equal(page.headers.get("cross-origin-opener-policy"), null);
    assert.equal(page.headers.get("referrer-policy"), "same-origin");
    assert.equal(page.headers.get("access-control-allow-origin"), null);
    const german = await ann.get(`${path}&lang=de`);
    assert.match(german.text, /möchte dein Konto benutzen/);
  });

  test("the app receives a refusal, and nothing is left", async () => {
    const app = await registerClient(kith().baseUrl, {
      redirect_uris: "https://app.example/?x=1",
    });
    const ann = await user();
    const before = await kith().snapshot();
    const path = authorizeUrl(app, { state: "s" });
    const back = readRedirect(
      await decideOn(ann, path, "deny"),
      "https://app.example/?x=1&error=access_denied&error_description=The%20person",
    );
    assert.equal(back.get("state"), "s");
    assert.deepEqual(await kith().snapshot(), before);
  });

  test("out of band, the code is shown on the page", async () => {
    const app = await registerClient(kith().baseUrl, {
      redirect_uris: "urn:ietf:wg:oauth:2.0:oob",
    });
    const ann = await user();
    const page = await decideOn(ann, authorizeUrl(app));
    const [, code = ""] =
      /<code[^>]*>([\w-]{43})<\/code>/.exec(page.text) ?? [];
    const { status } = await exchange(kith().baseUrl, app, code);
    assert.equal(status, 200);
    const denied = await decideOn(ann, authorizeUrl(app), "deny");
    assert.equal(denied.status, 200);
    assert.match(denied.text, /no access to your account/);
  });

  test("an app gives its credentials in any of the usual ways", async () => {
    const app = await registerClient(kith().baseUrl);
    const { baseUrl } = kith();
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${app.id}:${secret}`).toString("base64")}`,
    });
    const grant = { grant_type: "client_credentials", scope: "read" };
    const there = `${baseUrl}/oauth/token`;
    const own = await sendForm(there, grant, basic(app.secret));
    assert.equal(own.status, 200, JSON.stringify(own.json));
    const json = await fetch(there, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        ...{ ...grant, client_id: app.id, client_secret: app.secret },
      }),
    });
    assert.equal(json.status, 200);
    const wrong = await sendForm(there, grant, basic("wrong"));
    assert.equal(wrong.status, 401);
    assert.equal(wrong.json["error"], "invalid_client");
    assert.match(wrong.headers.get("www-authenticate") ?? "", /^Basic /);
    const twice = await sendForm(
      there,
      { ...grant, client_id: app.id, client_secret: app.secret },
      basic(app.secret),
    );
    assert.equal(twice.json["error"], "invalid_request");
    const token = String(own.json["access_token"]);
    const verified = await callWith(
      `${baseUrl}/api/v1/apps/verify_credentials`,
      token,
    );
    assert.equal(verified.status, 200);
    const personal = await callWith(`${baseUrl}/api/v0/posts`, token);
    assert.equal(personal.status, 401, "a token without a user");
  });

  test("other grants are refused", async () => {
    const app = await registerClient(kith().baseUrl);
    for (const grant_type of ["password", "refresh_token", "implicit"]) {
      const { status, json } = await sendForm(url("/oauth/token"), {
        ...{ grant_type, client_id: app.id, client_secret: app.secret },
        ...{ username: "user1", password: PASSWORD },
      });
      assert.equal(
        `${status} ${String(json["error"])}`,
        "400 unsupported_grant_type",
      );
    }
    const none = await sendForm(url("/oauth/token"), {});
    assert.equal(none.json["error"], "invalid_request");
  });

  test("a token ends when its app revokes it, and no other app can", async () => {
    const app = await registerClient(kith().baseUrl);
    const other = await registerClient(kith().baseUrl);
    const token = await getAppToken(kith().baseUrl, await user(), "read", app);
    const revoke = (by: typeof app, secret = by.secret, ended = token) =>
      sendForm(url("/oauth/revoke"), {
        ...{ client_id: by.id, client_secret: secret, token: ended },
      });
    const refused = await revoke(other);
    assert.equal(refused.status, 403);
    assert.equal(refused.json["error"], "unauthorized_client");
    assert.equal((await revoke(app, "wrong")).status, 401);
    assert.equal((await callWith(url("/api/v0/posts"), token)).status, 200);
    for (const ended of [token, token, "never was"]) {
      const answer = await revoke(app, app.secret, ended);
      assert.equal(`${answer.status}${JSON.stringify(answer.json)}`, "200{}");
    }
    const after = await callWith(url("/api/v0/posts"), token);
    assert.equal(after.status, 401);
    assert.match(after.headers.get("www-authenticate") ?? "", /invalid_token/);
  });

  test("an app learns who it acts for, if it may", async () => {
    const ann = await user();
    const { baseUrl } = kith();
    const claims = await callWith(
      url("/oauth/userinfo"),
      await getAppToken(baseUrl, ann, "profile"),
    );
    const json = (await claims.json()) as Record<string, unknown>;
    assert.equal(json["preferred_username"], ann.username);
    assert.equal(json["iss"], `${baseUrl}/`);
    const without = await callWith(
      url("/oauth/userinfo"),
      await getAppToken(baseUrl, ann, "write:media"),
    );
    assert.equal(without.status, 403);
    assert.match(
      without.headers.get("www-authenticate") ?? "",
      /error="insufficient_scope".*scope="profile"/,
    );
    const posts = await callWith(
      url("/api/v0/posts"),
      await getAppToken(baseUrl, ann, "profile"),
    );
    assert.equal(posts.status, 403, "profile alone opens nothing else");
  });

  test("programs in browsers may get and end tokens, but not read the page", async () => {
    const headers = { origin: "https://app.example" };
    const allows = async (path: string, method: string) => {
      const answer = await fetch(url(path), { method, headers });
      await answer.text();
      return answer.headers.get("access-control-allow-origin");
    };
    for (const [path, method] of [
      ["/api/v1/apps", "POST"],
      ["/oauth/token", "POST"],
      ["/oauth/revoke", "POST"],
      ["/oauth/userinfo", "GET"],
      ["/.well-known/oauth-authorization-server", "GET"],
    ] as const)
      assert.equal(await allows(path, method), "*", path);
    assert.equal(await allows("/oauth/authorize", "GET"), null);
  });

  test("codes that are asked for again are different, and all of them work", async () => {
    const app = await registerClient(kith().baseUrl);
    const ann = await user();
    const codes = [await getCode(ann, app), await getCode(ann, app)];
    const tokens = [];
    for (const code of codes)
      tokens.push(
        (await exchange(kith().baseUrl, app, code)).json["access_token"],
      );
    assert.equal(new Set([...codes, ...tokens]).size, 4);
    for (const token of tokens)
      assert.equal(
        (await callWith(url("/api/v0/posts"), String(token))).status,
        200,
      );
  });
});
