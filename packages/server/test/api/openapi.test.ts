import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { ApiDocument } from "../../src/http/api-document.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import { listRoutes } from "../support/server/routes.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const load = async (): Promise<ApiDocument> => {
    const response = await fetch(`${kith().baseUrl}/api/v0/openapi.json`);
    assert.equal(response.status, 200);
    return (await response.json()) as ApiDocument;
  };

  test("the document is valid OpenAPI 3.1, and needs no token", async () => {
    const document = await load();
    const validator = new Validator();
    const { valid, errors } = await validator.validate({ ...document });
    assert.equal(valid, true, JSON.stringify(errors));
    assert.equal(validator.version, "3.1");
    assert.equal(document.servers[0]?.url, `${kith().baseUrl}/api/v0`);
  });

  test("every route of the service API is in the document, and nothing else", async () => {
    const served = listRoutes(kith().app)
      .filter(({ path }) => /^\/api\/v0\/(?!ap\/)/.test(path))
      .map(({ method, path }) => `${method} ${path.slice("/api/v0".length)}`)
      .map((name) => name.replaceAll(/:([a-z_]+)/g, "{$1}"));
    const documented = operationsOf(await load()).map(({ name }) => name);
    const missing = served.filter((name) => !documented.includes(name));
    assert.deepEqual(
      missing,
      [],
      `Not documented: ${missing.join(", ")}. Declare the route with apiRoute, or describe it in ROUTES_OF_THEIR_OWN of api/index.ts`,
    );
    assert.deepEqual(documented.toSorted(), served.toSorted());
  });

  test("operations have names and paths of their own, and every reference leads somewhere", async () => {
    const document = await load();
    const ids = operationsOf(document).map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const shapes = Object.keys(document.paths).map((path) =>
      path.replaceAll(/\{\w+\}/g, "{}"),
    );
    assert.deepEqual(shapes, [...new Set(shapes)]);
    const text = JSON.stringify(document);
    for (const [, group = "", name = ""] of text.matchAll(
      /"#\/components\/(schemas|responses)\/([^"]+)"/g,
    ))
      assert.ok(document.components[group as "schemas"][name], name);
    const bare = operationsOf(document).flatMap(({ id, parameters }) =>
      parameters
        .filter(({ description }) => description === "")
        .map(({ name }) => `${name} of ${id}`),
    );
    assert.deepEqual(bare, [], "Give each parameter a description");
  });

  test("lists have offset and limit, those of records with an ID before and after, operations that return records have fields", async () => {
    const { paths } = await load();
    const namesOf = (path: string, method: "get" | "post" | "delete") =>
      paths[path]?.[method]?.parameters.map(({ name }) => name);
    assert.deepEqual(namesOf("/posts", "get"), [
      "visibility",
      "fields",
      "offset",
      "limit",
      "before",
      "after",
    ]);
    assert.deepEqual(namesOf("/admin/hosts", "get"), [
      "fields",
      "offset",
      "limit",
    ]);
    assert.deepEqual(namesOf("/posts/{id}", "get"), ["id", "fields"]);
    assert.deepEqual(namesOf("/posts/{id}", "delete"), ["id"]);
    assert.deepEqual(namesOf("/posts/{id}/likes/{positive}", "post"), [
      "id",
      "positive",
      "fields",
    ]);
    const body = paths["/aspects"]?.post?.requestBody?.content ?? {};
    assert.deepEqual(Object.keys(body), [
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/json",
    ]);
    assert.deepEqual(paths["/oauth/tokens"]?.post?.security, []);
    assert.deepEqual(paths["/posts"]?.get?.security?.at(-1), {
      oauth: ["read:statuses"],
    });
    assert.equal(paths["/export"]?.get?.security, undefined);
  });

  test("in JSON, a list may be its only member", async () => {
    const { content = {} } =
      (await load()).paths["/posts"]?.post?.requestBody ?? {};
    const { properties } = content["application/json"]?.schema ?? {};
    const { aspectID } = properties as Record<string, { anyOf: unknown }>;
    const id = { type: "integer", minimum: 0, maximum: 2 ** 53 - 1 };
    const list = { type: "array", items: id, minItems: 1 };
    assert.deepEqual(aspectID?.anyOf, [id, list]);
    const ann = await kith().person();
    const aspect = await ann.post<{ ID: number }>("/aspects", { name: "few" });
    for (const [aspectID, isPublic] of [
      [0, true],
      [[0], true],
      [aspect.ID, false],
      [[aspect.ID], false],
    ] as const) {
      const json = { post: "Hello", aspectID };
      const { text } = await ann.call("POST", "/posts", { json });
      const post = JSON.parse(text) as { Public?: boolean };
      assert.equal(post.Public, isPublic, JSON.stringify(aspectID));
    }
  });

  test("the page for people shows every operation and record, and loads nothing from elsewhere", async () => {
    const response = await fetch(`${kith().baseUrl}/api/docs`);
    const page = await response.text();
    assert.equal(response.status, 200);
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'self';/);
    const never = /<script|style=|src="|undefined|\[object/.exec(page);
    assert.equal(never?.[0], undefined);
    const document = await load();
    for (const { id } of operationsOf(document))
      assert.ok(page.includes(`id="${id}"`) && page.includes(`#${id}`), id);
    for (const [, name = ""] of page.matchAll(/href="#([^"]+)"/g))
      assert.ok(page.includes(`id="${name}"`), `${name} leads nowhere`);
    for (const [, url = ""] of page.matchAll(/<link[^>]+href="([^"]+)"/g))
      assert.ok(
        /^(#|\/assets\/|\/manifest\.webmanifest$)/.test(url) ||
          url.startsWith(kith().baseUrl),
        url,
      );
  });
});

function operationsOf({ paths }: ApiDocument) {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      id: operation.operationId,
      parameters: operation.parameters,
    })),
  );
}
