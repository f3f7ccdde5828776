import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { Sent } from "../support/server/api-client.ts";

type ErrorObject = { readonly error: string; readonly detail?: string };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("an error names the parameter and its valid values, beside the fixed text", async () => {
    const ann = await kith().person({ handle: "ann" });
    const cases: [string, string, Sent, string, RegExp][] = [
      [
        "GET",
        "/posts",
        { query: { offset: -1 } },
        "Bad request",
        /^The parameter offset must be a whole number from 0 on\.$/,
      ],
      [
        "GET",
        "/posts",
        { query: { limit: 101 } },
        "Bad request",
        /^The parameter limit must be a whole number from 1 to 100\.$/,
      ],
      [
        "GET",
        "/posts",
        { query: { visibility: 3 } },
        "Bad request",
        /^The parameter visibility must be /,
      ],
      [
        "GET",
        "/posts",
        { query: { fields: "ID(" } },
        "Bad request",
        /^The parameter fields must be names such as /,
      ],
      [
        "POST",
        "/posts",
        { form: { post: "x", nsfw: "maybe" } },
        "Bad request",
        /^The parameter nsfw must be one of true, false, 1, 0, on and off\.$/,
      ],
      [
        "POST",
        "/posts",
        { form: { post: " " } },
        "The string is empty",
        /blank/,
      ],
      [
        "POST",
        "/posts",
        { form: { post: "x", photoID: "x" } },
        "Bad request",
        /^The parameter photoID must be given at most 100 times, and each time be a whole number from 1 on\.$/,
      ],
      [
        "POST",
        "/posts",
        { json: [1] },
        "Bad request",
        /^The body must be a JSON object\.$/,
      ],
      [
        "PUT",
        "/users/password",
        { form: { password: "secret-enough" } },
        "The string is empty",
        /^The parameter current_password must be given/,
      ],
      [
        "POST",
        "/calendar/events",
        { form: { summary: "x", start: "soon" } },
        "Invalid datetime",
        /such as 2026-/,
      ],
    ];
    for (const [method, path, sent, error, detail] of cases) {
      const answer = await ann.call(method, path, sent);
      const body = JSON.parse(answer.text) as ErrorObject;
      assert.equal(
        `${answer.status} ${body.error}`,
        `400 ${error}`,
        answer.text,
      );
      assert.match(body.detail ?? "", detail);
      assert.deepEqual(Object.keys(body), ["error", "detail"]);
    }
    const typed = {
      headers: { "content-type": "text/plain" },
      form: { post: "x" },
    };
    const refused = await ann.call("POST", "/posts", typed);
    assert.equal(refused.status, 415);
    assert.match(refused.text, /must be a form/);
  });

  test("an error about another person, or about one's identity, contains only its fixed text", async () => {
    const ann = await kith().person({ handle: "ben" });
    const bob = await kith().person({ handle: "bob" });
    await bob.post(`/people/${ann.record.ID}/block`);
    const { ID } = await ann.post<{ ID: number }>("/aspects", { name: "all" });
    for (const [path, text] of [
      [`/people/${bob.record.ID}/aspects/${ID}`, '{"error":"Not found"}'],
      [`/people/999999/aspects/${ID}`, '{"error":"Not found"}'],
    ] as const)
      assert.equal((await ann.call("POST", path)).text, text);
    const foreign = await kith().anonymous.call("GET", "/posts");
    assert.equal(foreign.text, '{"error":"Unauthorized"}');
    const admin = await ann.call("GET", "/admin/accounts");
    assert.equal(admin.text, '{"error":"Forbidden"}');
  });

  test("a 401 names the way in, and says of a token that it is refused", async () => {
    const { anonymous } = kith();
    const headerOf = async (sent: Sent, method = "GET", path = "/posts") => {
      const answer = await anonymous.call(method, path, sent);
      assert.equal(answer.status, 401, answer.text);
      return answer.headers.get("www-authenticate") ?? "";
    };
    assert.equal(await headerOf({}), 'Bearer realm="Kith"');
    const refused = /^Bearer realm="Kith", error="invalid_token"/;
    assert.match(await headerOf({ headers: { access_token: "x" } }), refused);
    assert.match(await headerOf({ query: { access_token: "x" } }), refused);
    const bearer = { headers: { authorization: "Bearer x" } };
    assert.match(await headerOf(bearer), refused);
    const carol = await kith().person({ handle: "carol" });
    const wrong = { username: "carol", password: "wrong", client_id: "x" };
    const form = { grant_type: "password", ...wrong };
    const grant = await headerOf({ form }, "POST", "/oauth/tokens");
    assert.equal(grant, 'Bearer realm="Kith"');
    // The token is good: a program that threw it away would be wrong.
    const change = await carol.call("PUT", "/users/password", {
      form: { current_password: "wrong", password: "long enough 1" },
    });
    assert.equal(change.status, 401);
    assert.equal(change.headers.get("www-authenticate"), 'Bearer realm="Kith"');
  });

  test("a header names the fields that no record has, and the answer stays as it is", async () => {
    const dora = await kith().person({ handle: "dora" });
    const ask = (fields: string, path = "/posts") =>
      dora.call("GET", path, { query: { fields } });
    const fine = await ask(
      "ID,Person(Guid:Profile(Bio)),Root(ID:Event(Start))",
    );
    assert.equal(fine.headers.get("warning"), null);
    const wrong = await ask("ID,Foo,Person(Guid:Nam:Profile(Bip)),Text(ID)");
    assert.equal(wrong.status, 200);
    assert.equal(wrong.text, "[]");
    assert.equal(
      wrong.headers.get("warning"),
      '299 - "Unknown in fields, and ignored: Foo, Person.Nam, Person.Profile.Bip, Text.ID"',
    );
    const one = await ask("Guid,guid", `/people/${dora.record.ID}`);
    assert.deepEqual(JSON.parse(one.text), { Guid: dora.record.Guid });
    assert.match(one.headers.get("warning") ?? "", /: guid"$/);
    const many = await ask(
      Array.from({ length: 400 }, (_, n) => `x${n}`).join(),
    );
    assert.ok((many.headers.get("warning") ?? "").length < 600);
    // The second answer is the kept one.
    const again = await ask("ID,Foo,Person(Guid:Nam:Profile(Bip)),Text(ID)");
    assert.equal(again.headers.get("warning"), wrong.headers.get("warning"));
  });
});
