import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isGranted,
  SCOPES,
  type Scope,
} from "../../src/features/oauth/index.ts";
import type { ApiDocument } from "../../src/http/api-document.ts";
import { newUser } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { fillPath } from "../support/server/routes.ts";
import {
  getAppToken,
  getCode,
  exchange,
  registerClient,
} from "../support/sign-in/oauth-app.ts";
import { watchChanges } from "../support/streams/event-reader.ts";

/**
 * With them an account could be taken away, or an access kept that cannot be ended; or they show
 * secret addresses, or do what only several scopes together may.
 */
const UNDELEGATED = [
  ...["changePassword", "deleteAccount", "exportAccount"],
  ...["uploadImport", "listImports", "showImport"],
  ...["startImport", "stopImport", "deleteImport"],
  ...["listTokens", "deleteToken"],
  ...["listAppPasswords", "createAppPassword", "deleteAppPassword"],
  ...["signMove", "moveAway", "moveHere", "listAliases", "setAliases"],
  ...["showCalendarAddresses", "renewSecretCalendarAddress"],
  "endSecretCalendarAddress",
  ...["listSubscribedCalendars", "subscribeToCalendar"],
  ...["changeSubscribedCalendar", "refreshSubscribedCalendar"],
  "unsubscribeFromCalendar",
  ...["listCalendarShares", "shareCalendar", "endCalendarShare"],
  ...["changeAccountRole", "resetAccountPassword", "endAccountSessions"],
  "resetAccountSecondFactor",
];

type Call = {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE" | "HEAD";
  readonly url: string;
  /** undefined if no scope is enough. */
  readonly needed: string | undefined;
};

const AT_ONCE = 16;

function listCalls({ paths }: ApiDocument): Call[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const { operationId: name, security } = operation;
      // Calls without a token need no scope.
      if (security?.length === 0) return [];
      const filled = fillPath(path.replaceAll(/\{(\w+)\}/g, ":$1"), {});
      const [scope] = security?.flatMap((it) => it["oauth"] ?? []) ?? [];
      return {
        name,
        // A stream would not end.
        method: path === "/changes" ? "HEAD" : toMethod(method),
        url: `/api/v0${filled}`,
        needed: scope,
      };
    }),
  );
}

const toMethod = (name: string) => name.toUpperCase() as Call["method"];

forEachDatabase((kind) => {
  const kith = useKith(kind);

  async function readDocument(): Promise<ApiDocument> {
    const answer = await fetch(`${kith().baseUrl}/api/v0/openapi.json`);
    return (await answer.json()) as ApiDocument;
  }

  /** An admin, and a token for each scope alone. */
  async function getTokens(): Promise<Map<Scope, string>> {
    const { baseUrl, server } = kith();
    const ann = await newUser(baseUrl, "ann");
    await server.features.administration.setRole(
      ...([null, { username: "ann" }, "admin"] as const),
    );
    const app = await registerClient(baseUrl, { scopes: SCOPES.join(" ") });
    const tokens = new Map<Scope, string>();
    for (const scope of SCOPES) {
      const code = await getCode(ann, app, { scope });
      const { json } = await exchange(baseUrl, app, code);
      assert.equal(json["scope"], scope);
      tokens.set(scope, String(json["access_token"]));
    }
    return tokens;
  }

  test("each call is open to the scopes that it needs, and to no other", async () => {
    const calls = listCalls(await readDocument());
    assert.ok(calls.length > 150);
    const undelegated = calls.filter(({ needed }) => needed === undefined);
    assert.deepEqual(
      undelegated.map(({ name }) => name).sort(),
      UNDELEGATED.toSorted(),
    );
    for (const { name, method, needed, url } of calls) {
      const isRead = needed === "read" || needed?.includes("read");
      if (method === "GET" && needed !== undefined) assert.ok(isRead, name);
      if (method === "PUT" || method === "DELETE")
        assert.ok(!isRead, `${name} changes something`);
      if (url.startsWith("/api/v0/admin"))
        assert.match(needed ?? "admin:", /^admin:/, name);
      else assert.doesNotMatch(needed ?? "", /^admin/, name);
    }
    const tokens = await getTokens();
    const pairs = calls.flatMap((call) =>
      [...tokens].map(([scope, token]) => ({ call, scope, token })),
    );
    for (let at = 0; at < pairs.length; at += AT_ONCE)
      await Promise.all(pairs.slice(at, at + AT_ONCE).map(tryCall));
  });

  async function tryCall(pair: {
    readonly call: Call;
    readonly scope: Scope;
    readonly token: string;
  }): Promise<void> {
    const { call, scope, token } = pair;
    const { method, url, needed, name } = call;
    const answer = await kith().app.inject({
      ...{ method, url, headers: { authorization: `Bearer ${token}` } },
    });
    const challenge = String(answer.headers["www-authenticate"] ?? "");
    const what = `${name} with ${scope}: ${answer.statusCode} ${answer.body}`;
    if (needed !== undefined && isGranted([scope], needed)) {
      assert.notEqual(answer.statusCode, 401, what);
      assert.doesNotMatch(challenge, /insufficient_scope/, what);
      return;
    }
    assert.equal(answer.statusCode, 403, what);
    assert.match(challenge, /^Bearer .*error="insufficient_scope"/, what);
    if (needed === undefined) assert.doesNotMatch(challenge, /scope="/, what);
    else assert.ok(challenge.endsWith(`, scope="${needed}"`), what);
    if (method !== "HEAD") assert.equal(answer.body, '{"error":"Forbidden"}');
  }

  test("a token of an app is taken wherever a token is, with its scopes", async () => {
    const { baseUrl } = kith();
    const ben = await newUser(baseUrl, "ben");
    const reading = await getAppToken(baseUrl, ben, "read:statuses");
    const writing = await getAppToken(baseUrl, ben, "write");
    const lists = await getAppToken(baseUrl, ben, "read:lists");
    const post = `access_token=${writing}&post=hello`;
    const posted = await fetch(`${baseUrl}/api/v0/posts`, {
      method: "POST",
      body: new URLSearchParams(post),
    });
    assert.equal(posted.status, 200);
    const actor = `${baseUrl}/api/v1/ap/person/ben`;
    const call = async (
      path: string,
      token: string,
      init: RequestInit = {},
    ) => {
      const answer = await fetch(path, {
        ...init,
        headers: { ...init.headers, access_token: token },
      });
      return `${answer.status} ${(await answer.text()).slice(0, 20)}`;
    };
    assert.match(await call(`${actor}/inbox`, reading), /^200/);
    assert.match(await call(`${actor}/inbox`, lists), /^403/);
    assert.match(await call(`${actor}/outbox`, reading), /^200/);
    const note = {
      method: "POST",
      headers: { "content-type": "application/activity+json" },
      body: JSON.stringify({
        "@context": "https://www.w3.org/ns/activitystreams",
        ...{ type: "Note", content: "hi", attributedTo: actor },
        to: ["https://www.w3.org/ns/activitystreams#Public"],
      }),
    };
    assert.match(await call(`${actor}/outbox`, reading, note), /^403/);
    assert.match(await call(`${actor}/outbox`, writing, note), /^201/);
    const missing = `${baseUrl}/uploads/images/none.jpg`;
    assert.match(await call(missing, reading), /^404/);
  });

  test("an open stream ends with its token", async () => {
    const { baseUrl } = kith();
    const eve = await newUser(baseUrl, "eve");
    const app = await registerClient(baseUrl);
    const token = await getAppToken(baseUrl, eve, "read", app);
    const stream = await watchChanges(baseUrl, token);
    await fetch(`${baseUrl}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ client_id: app.id, client_secret: app.secret, token },
      }),
    });
    await stream.ended;
  });
});
