import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findFault,
  type Answered,
} from "../support/mastodon/entity-schemas.ts";
import { MastodonClient } from "../support/mastodon/mastodon-client.ts";
import { registerClient, sendForm } from "../support/sign-in/oauth-app.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";

type Token = { readonly access_token: string; readonly scope: string };
type Faults = {
  readonly error: string;
  readonly details: Readonly<Record<string, readonly { error: string }[]>>;
};

const TOKEN: Answered = "Token";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let names = 0;
  const asked = (more: object = {}) => ({
    ...{ username: `new_${++names}`, password: "correct horse battery" },
    ...{ agreement: true, email: "new@example.org", locale: "de", ...more },
  });
  const openFor = (registration: "approval" | "closed" | "open") =>
    kith().server.features.serverProfile.save(null, { registration });

  /** An app, as it is before somebody has signed in. */
  async function app(scope = "read write"): Promise<MastodonClient> {
    const { baseUrl } = kith();
    const { id, secret } = await registerClient(baseUrl, {
      scopes: "read write push",
    });
    const answer = await sendForm(`${baseUrl}/oauth/token`, {
      ...{ grant_type: "client_credentials", client_id: id },
      ...{ client_secret: secret, scope },
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.json));
    return new MastodonClient(baseUrl, String(answer.json["access_token"]));
  }

  test("an app signs a person up, and has a token of the account", async () => {
    await openFor("open");
    const before = await app();
    const form = asked();
    const made = await before.post<Token>("/v1/accounts", form);
    assert.equal(findFault(TOKEN, made), undefined);
    assert.equal(made.scope, "read write push");
    const own = new MastodonClient(kith().baseUrl, made.access_token);
    const self = await own.get<{ username: string }>(
      "/v1/accounts/verify_credentials",
    );
    assert.equal(self.username, form.username);
    const account = await kith().server.features.accounts.find(form.username);
    assert.ok(account);
    const { locale } = await kith().server.features.accounts.getSettings(
      account.id,
    );
    assert.equal(locale, "de");
    await own.write("hello");
  });

  test("each fault is named by its field, and nothing is made", async () => {
    await openFor("open");
    const before = await app();
    const { username } = await kith().person();
    const cases: readonly [object, Readonly<Record<string, string>>][] = [
      [{ agreement: false }, { agreement: "ERR_ACCEPTED" }],
      [{ username }, { username: "ERR_TAKEN" }],
      [
        { username: "", password: "x" },
        { username: "ERR_BLANK", password: "ERR_TOO_SHORT" },
      ],
      [{ username: "admin" }, { username: "ERR_RESERVED" }],
      [{ username: "a b" }, { username: "ERR_INVALID" }],
      [{ reason: "x".repeat(1_001) }, { reason: "ERR_TOO_LONG" }],
    ];
    for (const [more, wanted] of cases) {
      const answer = await before.call("POST", "/v1/accounts", asked(more));
      assert.equal(answer.status, 422, answer.text);
      const { error, details } = answer.json as Faults;
      assert.match(error, /^Validation failed: /);
      assert.deepEqual(
        Object.fromEntries(
          Object.entries(details).map(([field, all]) => [field, all[0]?.error]),
        ),
        wanted,
      );
    }
    for (const body of [{}, { username: ["a"], agreement: "perhaps" }])
      assert.equal(
        (await before.call("POST", "/v1/accounts", body)).status,
        422,
      );
    await kith().server.features.serverProfile.save(null, { minAge: 18 });
    const young = await before.call(
      "POST",
      "/v1/accounts",
      asked({ date_of_birth: "2020-01-01" }),
    );
    assert.match(young.text, /ERR_BELOW_LIMIT/);
    await before.post("/v1/accounts", asked({ date_of_birth: "1990-12-31" }));
    await kith().server.features.serverProfile.save(null, { minAge: 0 });
  });

  test("where sign-up is closed, an invitation is needed; where accounts are approved, the token waits", async () => {
    const { administration, invitations } = kith().server.features;
    const [before, { username, record }] = [await app(), await kith().person()];
    await openFor("closed");
    const closed = "This action is not allowed";
    await before.refused("POST", "/v1/accounts", 403, closed, asked());
    const none = asked({ invite_code: "none" });
    await before.refused("POST", "/v1/accounts", 403, closed, none);
    const by = { userId: record.UserID, username, role: "admin" } as const;
    const { code } = await invitations.create(by);
    await before.post("/v1/accounts", asked({ invite_code: code }));

    await openFor("approval");
    const [one, other] = [asked({ reason: "cats" }), asked()];
    const waiting = await before.post<Token>("/v1/accounts", one);
    const own = new MastodonClient(kith().baseUrl, waiting.access_token);
    const path = "/v1/accounts/verify_credentials";
    const pending = "Your login is currently pending approval";
    await own.refused("GET", path, 403, pending);
    await own.refused("GET", "/v1/timelines/tag/a", 403, pending);
    await administration.approve(null, { username: one.username });
    await own.get(path);
    const { access_token } = await before.post<Token>("/v1/accounts", other);
    await administration.reject(null, { username: other.username });
    const gone = new MastodonClient(kith().baseUrl, access_token);
    await gone.refused("GET", path, 401, "The access token is invalid");
    await openFor("open");
  });

  test("a token of an app alone reads what everybody may read, and does nothing as a user", async () => {
    const [reader, narrow] = [await app(), await app("read:search")];
    const who = await kith().person();
    const { id } = await MastodonClient.of(kith(), who).write("hello #world");
    await reader.get(`/v1/statuses/${id}`);
    await reader.get("/v1/timelines/tag/world");
    const user = "This method requires an authenticated user";
    await reader.refused("GET", "/v1/timelines/home", 422, user);
    await reader.refused("POST", `/v1/statuses/${id}/favourite`, 422, user);
    const beyond = "This action is outside the authorized scopes";
    await narrow.refused("GET", `/v1/statuses/${id}`, 403, beyond);
    await narrow.refused("POST", "/v1/accounts", 403, beyond, asked());
    await MastodonClient.of(kith()).refused(
      ...(["POST", "/v1/accounts", 401] as const),
      "The access token is invalid",
      asked(),
    );
    await MastodonClient.of(kith(), who).refused(
      ...(["POST", "/v1/accounts", 422, /the app alone/] as const),
      asked(),
    );
  });
});
