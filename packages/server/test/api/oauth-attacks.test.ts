import assert from "node:assert/strict";
import { test } from "node:test";
import { hiddenFields, newUser, visitor } from "../support/pages/visit.ts";
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
  registerClient,
  sendForm,
  type JsonAnswer,
} from "../support/sign-in/oauth-app.ts";

const errorOf = ({ status, json }: JsonAnswer) =>
  `${status} ${String(json["error"])}`;
const BAD_CODE = "400 invalid_grant";
const MINUTE_MS = 60_000;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  const url = (path: string) => kith().baseUrl + path;
  const user = () => newUser(kith().baseUrl, `user${(users += 1)}`);
  let users = 0;
  const isLiving = async (token: unknown) =>
    (await callWith(url("/api/v0/posts"), String(token))).status === 200;

  test("a code works once, and a second use ends what the first one gave", async () => {
    const app = await registerClient(kith().baseUrl);
    const ann = await user();
    const other = await getAppToken(kith().baseUrl, ann, "read", app);
    const code = await getCode(ann, app);
    const first = await exchange(kith().baseUrl, app, code);
    assert.ok(await isLiving(first.json["access_token"]));
    assert.equal(errorOf(await exchange(kith().baseUrl, app, code)), BAD_CODE);
    assert.ok(!(await isLiving(first.json["access_token"])));
    assert.ok(await isLiving(other), "other accesses stay");
  });

  test("of several uses at once at most one gets a token", async () => {
    const app = await registerClient(kith().baseUrl);
    const code = await getCode(await user(), app);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => exchange(kith().baseUrl, app, code)),
    );
    const given = answers.filter(({ status }) => status === 200);
    assert.equal(given.length, 1);
    assert.ok(!(await isLiving(given[0]?.json["access_token"])));
  });

  test("a code lasts ten minutes, and belongs to its app and its redirect", async () => {
    const { baseUrl, clock } = kith();
    const app = await registerClient(baseUrl, {
      redirect_uris: `${CALLBACK} reader://x`,
    });
    const mine = { ...app, redirectUri: CALLBACK };
    const other = await registerClient(baseUrl);
    const ann = await user();
    const code = await getCode(ann, mine);
    for (const [by, more] of [
      [other, {}],
      [mine, { redirect_uri: "reader://x" }],
      [mine, { redirect_uri: `${CALLBACK}/` }],
      [mine, { code: `${code}x` }],
      [mine, { code_verifier: newVerifier().verifier }],
    ] as const)
      assert.equal(errorOf(await exchange(baseUrl, by, code, more)), BAD_CODE);
    for (const client_secret of ["wrong", other.secret])
      assert.equal(
        errorOf(await exchange(baseUrl, mine, code, { client_secret })),
        "401 invalid_client",
      );
    clock.advance(9 * MINUTE_MS);
    assert.equal((await exchange(baseUrl, mine, code)).status, 200);
    const late = await getCode(ann, mine);
    clock.advance(10 * MINUTE_MS);
    assert.equal(errorOf(await exchange(baseUrl, mine, late)), BAD_CODE);
  });

  test("a code asked for with a challenge needs its verifier, and one without needs the secret", async () => {
    const app = await registerClient(kith().baseUrl);
    const ann = await user();
    const { verifier, challenge } = newVerifier();
    const method = { code_challenge_method: "S256" };
    const code = await getCode(ann, app, {
      code_challenge: challenge,
      ...method,
    });
    const attempt = (given: string, more: Record<string, string>) =>
      exchange(kith().baseUrl, app, given, more);
    for (const code_verifier of ["", challenge, newVerifier().verifier, "x"])
      assert.equal(errorOf(await attempt(code, { code_verifier })), BAD_CODE);
    assert.equal(errorOf(await attempt(code, {})), BAD_CODE);
    const none = { client_secret: "", code_verifier: verifier };
    assert.equal((await attempt(code, none)).status, 200, "a public app");
    const plain = await getCode(ann, app);
    const open = await attempt(plain, { client_secret: "" });
    assert.equal(errorOf(open), BAD_CODE);
    const ill = [
      { code_challenge: challenge },
      { code_challenge: challenge, code_challenge_method: "plain" },
      { code_challenge: "short", ...method },
      { ...method },
    ];
    for (const more of ill) {
      const page = await ann.get(authorizeUrl(app, more));
      assert.equal(page.status, 400, JSON.stringify(more));
      assert.doesNotMatch(page.text, /decision/);
    }
  });

  test("nobody is sent to a redirect URI that is not registered, letter by letter", async () => {
    const { baseUrl } = kith();
    const app = await registerClient(baseUrl, {
      redirect_uris: `${CALLBACK}\nhttp://localhost:4000/x`,
    });
    const ann = await user();
    for (const redirect_uri of [
      ...["", "https://evil.example/", `${CALLBACK}/`, `${CALLBACK}?x=1`],
      ...[
        `${CALLBACK}#x`,
        "https://app.example",
        "HTTPS://app.example/callback",
      ],
      ...[
        "https://app.example/callback/../evil",
        "https://app.example//callback",
      ],
      ...[
        "https://app.example.evil.example/callback",
        "http://app.example/callback",
      ],
      ...[
        "https://app.example@evil.example/callback",
        "https://app.example:444/callback",
      ],
      ...["https://app.example\\@evil.example/callback", ` ${CALLBACK}`],
      ...[
        `${CALLBACK}\nhttps://evil.example`,
        `${CALLBACK}\r\nset-cookie: a=b`,
      ],
      ...[
        "http://localhost:4001/x",
        "http://127.0.0.1:4000/x",
        "//app.example/callback",
      ],
      "urn:ietf:wg:oauth:2.0:oob",
    ]) {
      const path = authorizeUrl(app, { redirect_uri });
      for (const who of [ann, visitor(baseUrl)]) {
        const page = await who.get(path);
        assert.equal(page.status, 400, redirect_uri);
        assert.equal(page.headers.get("location"), null);
        assert.doesNotMatch(page.text, /evil|decision/);
      }
      const sent = await ann.post(path, {
        ...{ csrf_token: ann.csrf_token, decision: "allow" },
      });
      assert.equal(sent.status, 400, redirect_uri);
    }
    const twice = `${authorizeUrl(app)}&redirect_uri=https://evil.example`;
    assert.equal((await ann.get(twice)).status, 400);
  });

  test("no fault of an app redirects anybody: it would lead from here to anywhere", async () => {
    const app = await registerClient(kith().baseUrl, { scopes: "read:lists" });
    const ann = await user();
    for (const more of [
      { scope: "write" },
      { scope: "read" },
      { scope: "nothing here" },
      { scope: "read:lists", response_type: "token" },
      { scope: "read:lists", response_mode: "fragment" },
      { scope: "read:lists", state: "s".repeat(5000) },
    ]) {
      const page = await ann.get(authorizeUrl(app, more));
      assert.equal(page.status, 400, JSON.stringify(more));
      assert.equal(page.headers.get("location"), null);
      assert.match(page.text, /href="https:\/\/app\.example\/callback\?error=/);
    }
    const unknown = await ann.get(authorizeUrl({ ...app, id: "unknown" }));
    assert.equal(unknown.status, 400);
    assert.doesNotMatch(unknown.text, /app\.example/);
  });

  test("no other site lets an app in on behalf of somebody", async () => {
    const app = await registerClient(kith().baseUrl);
    const [ann, ben] = [await user(), await user()];
    const path = authorizeUrl(app);
    const page = await ann.get(path);
    const fields = hiddenFields(page, "/oauth/authorize");
    const allow = { ...fields, decision: "allow" };
    const before = await kith().snapshot();
    for (const csrf_token of ["", "x", ben.csrf_token]) {
      const answer = await ann.post("/oauth/authorize", {
        ...allow,
        csrf_token,
      });
      assert.equal(answer.status, 403);
      assert.equal(answer.headers.get("location"), null);
    }
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await ann.post("/oauth/authorize", allow, headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
    }
    const undecided = await ann.post("/oauth/authorize", fields);
    assert.equal(undecided.headers.get("location"), null);
    const nobody = await visitor(kith().baseUrl).post(
      "/oauth/authorize",
      allow,
    );
    assert.equal(nobody.status, 401);
    assert.deepEqual(await kith().snapshot(), before);
    assert.equal((await ann.post("/oauth/authorize", allow)).status, 302);
  });

  test("a request is checked again when it is allowed", async () => {
    const app = await registerClient(kith().baseUrl, { scopes: "read:lists" });
    const ann = await user();
    const page = await ann.get(authorizeUrl(app, { scope: "read:lists" }));
    const fields = hiddenFields(page, "/oauth/authorize");
    for (const more of [
      { scope: "write" },
      { redirect_uri: "https://evil.example/" },
      { client_id: "unknown" },
    ]) {
      const answer = await ann.post("/oauth/authorize", {
        ...{ ...fields, decision: "allow", ...more },
      });
      assert.equal(answer.status, 400, JSON.stringify(more));
    }
  });

  test("broken registrations are refused and leave nothing", async () => {
    const { baseUrl } = kith();
    const before = await kith().snapshot();
    const uris = [
      ...["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///x"],
      ...["http://app.example/", "https://u:p@app.example/", `${CALLBACK}#x`],
      ...["/callback", "app.example", "https://", "https:app.example", "x:"],
      ...["reader://ä", 'reader://"x', "blob:https://x/1"],
      ...[`https://app.example/${"x".repeat(2000)}`, "JavaScript:alert(1)"],
      ...["", " \n ", "ws://app.example", "intent://x"],
      Array.from({ length: 21 }, (_, n) => `reader://${n}`).join(" "),
      "reader://x ".repeat(500),
    ];
    const fault = async (more: Record<string, string>) => {
      const { status, json } = await sendForm(`${baseUrl}/api/v1/apps`, {
        ...{ client_name: "Reader", redirect_uris: CALLBACK, ...more },
      });
      return `${status} ${String(json["error"]).split(":")[0] ?? ""}`;
    };
    const broken = "422 Validation failed";
    for (const redirect_uris of uris)
      assert.equal(await fault({ redirect_uris }), broken, redirect_uris);
    const mixed = `${CALLBACK} javascript:alert(1)`;
    assert.equal(await fault({ redirect_uris: mixed }), broken);
    for (const more of [
      { client_name: "" },
      { client_name: "\u202e \u200f" },
      { scopes: "nothing known" },
      { website: "javascript:alert(1)" },
      { website: "not a site" },
      { website: "https://u:p@site.example" },
    ])
      assert.equal(await fault(more), broken, JSON.stringify(more));
    assert.deepEqual(await kith().snapshot(), before);
  });

  test("nobody can give rights that they lack", async () => {
    const { baseUrl } = kith();
    const scopes = "read admin:read admin:write";
    const app = await registerClient(baseUrl, { scopes });
    const ann = await user();
    const code = await getCode(ann, app, { scope: scopes });
    const given = await exchange(baseUrl, app, code);
    assert.equal(given.json["scope"], "read");
    const only = authorizeUrl(app, { scope: "admin:read" });
    const refused = await decideOn(ann, only);
    assert.equal(refused.status, 400);
    const { username } = ann;
    const { administration } = kith().server.features;
    await administration.setRole(null, { username }, "admin");
    const page = await ann.get(authorizeUrl(app, { scope: scopes }));
    assert.match(page.text, /You help to run this server/);
    const token = String(given.json["access_token"]);
    const overview = await callWith(url("/api/v0/admin/overview"), token);
    assert.equal(overview.status, 403, "the old token has not grown");
    const anew = await getAppToken(baseUrl, ann, scopes, app);
    const answer = await callWith(url("/api/v0/admin/overview"), anew);
    assert.equal(answer.status, 200);
  });

  test("all ends of access end that of apps, and codes that wait", async () => {
    const { baseUrl, server } = kith();
    const { administration } = server.features;
    const admin = await kith().person({ role: "admin" });
    const app = await registerClient(baseUrl);
    const ends: Record<
      string,
      (who: Awaited<ReturnType<typeof user>>) => Promise<unknown>
    > = {
      password: async (who) => {
        const { token } = await kith().token(who.username);
        return kith()
          .anonymous.with(token)
          .put("/users/password", {
            ...{ current_password: PASSWORD, password: "another one" },
          });
      },
      reset: ({ username }) => administration.resetPassword(null, { username }),
      suspension: async ({ username }) => {
        const handle = `${username}@${kith().host}`;
        const { ID } = await admin.post<{ ID: number }>("/search", { handle });
        return admin.put(`/admin/people/${ID}/suspension`);
      },
      deletion: async (who) => {
        const { token } = await kith().token(who.username);
        const client = kith().anonymous.with(token);
        return client.call("DELETE", "/users", {
          form: { password: PASSWORD },
        });
      },
    };
    for (const [name, end] of Object.entries(ends)) {
      const who = await user();
      const token = await getAppToken(baseUrl, who, "read", app);
      const code = await getCode(who, app);
      assert.ok(await isLiving(token));
      await end(who);
      assert.ok(!(await isLiving(token)), name);
      assert.equal(errorOf(await exchange(baseUrl, app, code)), BAD_CODE, name);
    }
  });

  test("a session that was ended lets no app in", async () => {
    const app = await registerClient(kith().baseUrl);
    const ann = await user();
    const path = authorizeUrl(app);
    const fields = hiddenFields(await ann.get(path), "/oauth/authorize");
    const { username } = ann;
    await kith().server.features.administration.resetPassword(null, {
      username,
    });
    const answer = await ann.post("/oauth/authorize", {
      ...{ ...fields, decision: "allow" },
    });
    assert.equal(answer.status, 401);
    assert.equal(answer.headers.get("location"), null);
  });
});
