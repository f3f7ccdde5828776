import assert from "node:assert/strict";
import { test } from "node:test";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type { AspectRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("fields cut a record and each record of a list", async () => {
    const ann = await kith().person();
    const post = await ann.post<PostRecord>("/posts", {
      post: "x",
      fields: "ID,Guid",
    });
    assert.deepEqual(Object.keys(post), ["ID", "Guid"]);
    const path = `/posts/${post.Guid}`;
    const nested = "Guid,Person(ID:Profile(PersonID:Nsfw))";
    const expected = {
      Guid: post.Guid,
      Person: {
        ID: ann.record.ID,
        Profile: { PersonID: ann.record.ID, Nsfw: false },
      },
    };
    assert.deepEqual(await ann.get(path, { fields: nested }), expected);
    assert.deepEqual(await ann.get("/posts", { fields: nested }), [expected]);
    const comment = { comment: "c", fields: "Text,Person(Author)" };
    assert.deepEqual(await ann.post(`${path}/comments`, comment), {
      Text: "c",
      Person: { Author: ann.handle },
    });
    const inside = { fields: "Comments(Text)" };
    assert.deepEqual(await ann.get(path, inside), {
      Comments: [{ Text: "c" }],
    });
    const odd = "Nothing,ID,constructor,__proto__,Text(Length),Root(ID)";
    assert.deepEqual(await ann.get(path, { fields: odd }), {
      ID: post.ID,
      Text: "x",
      Root: null,
    });
    const whole = await ann.get<PostRecord>(path, { fields: "" });
    assert.equal(whole.Text, "x");
  });

  test("a broken selector is refused, and nothing is done", async () => {
    const bea = await kith().person();
    const broken = [
      ",",
      "ID,",
      ",ID",
      "ID,,Guid",
      "Person(",
      "Person()",
      "Person(ID",
      "Person)ID(",
      "Person(ID,Guid)",
      "Person(ID:)",
      "ID Guid",
      "ID;Guid",
      "1",
      "*",
      "Person.ID",
      `${"a(".repeat(50)}b${")".repeat(50)}`,
      "x,".repeat(3000),
    ];
    for (const fields of broken) {
      await bea.badRequest("GET", "/aspects", { query: { fields } });
      const form = { post: "x", name: "x", fields };
      await bea.badRequest("POST", "/posts", { form });
      await bea.badRequest("POST", "/aspects", { form });
    }
  });

  test("a call means the same in every form", async () => {
    const cam = await kith().person();
    const parameters = { name: "Ärger & Co = 100 %", fields: "Name" };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(parameters))
      multipart.append(name, value);
    const forms = [
      { form: parameters },
      { json: parameters },
      { multipart },
      { query: parameters },
      { form: { name: parameters.name }, query: { fields: "Name" } },
      { json: { name: parameters.name, fields: null }, query: parameters },
    ];
    for (const sent of forms) {
      const answer = await cam.call("POST", "/aspects", sent);
      assert.equal(answer.status, 200, JSON.stringify(sent));
      const { Name } = JSON.parse(answer.text) as AspectRecord;
      assert.equal(Name, parameters.name, JSON.stringify(sent));
    }
    const { ID } = await cam.post<AspectRecord>("/aspects", { name: "a" });
    for (const aspectID of [ID, String(ID)]) {
      const json = { post: "x", aspectID };
      const answer = await cam.call("POST", "/posts", { json });
      assert.equal((JSON.parse(answer.text) as PostRecord).Public, false);
    }
  });

  test("the body wins over the query", async () => {
    const dan = await kith().person();
    const query = { name: "query" };
    for (const sent of [
      { query, form: { name: "body" } },
      { query, json: { name: "body" } },
    ]) {
      const answer = await dan.call("POST", "/aspects", sent);
      assert.equal((JSON.parse(answer.text) as AspectRecord).Name, "body");
    }
    await dan.blank("POST", "/aspects", { query, form: { name: "" } });
  });

  test("a slash at the end and a charset change nothing", async () => {
    const eve = await kith().person();
    assert.equal((await eve.call("GET", "/posts/")).status, 200);
    for (const type of [
      "application/x-www-form-urlencoded; charset=UTF-8",
      "APPLICATION/X-WWW-FORM-URLENCODED",
    ]) {
      const headers = { "content-type": type };
      const form = { name: "a" };
      const answer = await eve.call("POST", "/aspects", { form, headers });
      assert.equal(answer.status, 200, type);
    }
  });

  test("unknown paths below /api answer 501, with any method", async () => {
    const fay = await kith().person();
    const unserved: [string, string][] = [
      ["PATCH", "/posts"],
      ["DELETE", "/posts"],
      ["PATCH", "/posts/1"],
      ["POST", "/notifications"],
      ["DELETE", "/profile"],
      ["OPTIONS", "/posts"],
      ["GET", "/nothing/at/all"],
      ["PROPFIND", "/posts"],
      ["QUERY", "/posts"],
    ];
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
      unserved.push([method, ""], [method, "/nothing"], [method, "/../v7/x"]);
    for (const client of [fay, kith().anonymous])
      for (const [method, path] of unserved)
        await client.refused(method, path, {}, 501, "Not implemented");
    const bodies = [
      { json: { a: 1 } },
      { form: { a: 1 }, headers: { "content-type": "text/xml" } },
      { form: { a: 1 }, headers: { "content-type": "application/json" } },
      { query: { a: "%" } },
    ];
    for (const sent of bodies)
      await fay.refused("POST", "/nothing", sent, 501, "Not implemented");
    for (const path of ["/api", "/api/", "/api?x", "/api/v9/posts", "/api//"]) {
      const response = await fetch(kith().baseUrl + path, {
        headers: { accept: "text/html" },
      });
      const { status, headers } = response;
      const answer = { status, headers, text: await response.text() };
      assertError(answer, 501, "Not implemented", path);
    }
  });

  test("elsewhere a person gets a page and a program the error object", async () => {
    const look = async (path: string, accept: string, method = "GET") => {
      const headers = { accept };
      const url = kith().baseUrl + path;
      const response = await fetch(url, { headers, method });
      const type = response.headers.get("content-type") ?? "";
      return { status: response.status, type, text: await response.text() };
    };
    const paths = ["/nothing", "/apiary", "/posts", "/posts/%00", "/u/nobody"];
    for (const path of paths) {
      const page = await look(path, "text/html,*/*;q=0.8");
      assert.equal(page.status, 404, path);
      assert.match(page.type, /^text\/html\b/, path);
      assert.match(page.text, /^<!doctype html>/i, path);
      const object = await look(path, "application/json");
      assert.equal(object.status, 404, path);
      assert.deepEqual(JSON.parse(object.text), { error: "Not found" });
    }
    const posted = await look("/nothing", "text/html", "POST");
    assert.equal(posted.status, 404);
    assert.match(posted.type, /^text\/html\b/);
  });

  test("every call but the grant needs a token", async () => {
    const { anonymous } = kith();
    const calls = [
      ["GET", "/oauth/tokens"],
      ["DELETE", "/oauth/tokens/1"],
      ["POST", "/search"],
      ["PUT", "/profile"],
      ["GET", "/people/1"],
      ["POST", "/posts"],
      ["GET", "/posts/0"],
      ["PUT", "/notifications"],
    ] as const;
    for (const [method, path] of calls)
      await anonymous.unauthorized(method, path);
  });

  test("names of prototypes are only names", async () => {
    const gil = await kith().person();
    const headers = { "content-type": "application/json" };
    const json = '{"__proto__":{"name":"x"},"constructor":{"name":"y"}}';
    const response = await fetch(`${kith().baseUrl}/api/v0/aspects`, {
      method: "POST",
      headers: { ...headers, access_token: gil.token },
      body: json,
    });
    assert.equal(response.status, 400);
    const body = (await response.json()) as { readonly error: string };
    assert.equal(body.error, "The string is empty");
    await gil.blank("POST", "/aspects", {
      query: { "__proto__[name]": "x", __proto__: "x", toString: "x" },
    });
    assert.equal(Object.getOwnPropertyNames({}).length, 0);
  });
});
