import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { ApiDocument } from "../../src/http/api-document.ts";
import { visitor } from "../support/pages/visit.ts";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { fillPath, listRoutes, type Route } from "../support/server/routes.ts";

const PREFIX = "/api/v0";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let user: TestPerson;
  let moderator: TestPerson;
  let admin: TestPerson;
  before(async () => {
    user = await kith().person({ handle: "plain" });
    moderator = await kith().person({ handle: "keeper", role: "moderator" });
    admin = await kith().person({ handle: "boss", role: "admin" });
  });

  const routesBelow = (start: string) =>
    listRoutes(kith().app).filter(
      ({ path }) => path === start || path.startsWith(`${start}/`),
    );

  const session = async ({ username }: TestPerson) => {
    const visiting = visitor(kith().baseUrl);
    await visiting.post("/users/sign_in", { username, password: PASSWORD });
    return visiting;
  };

  const call = (who: Pick<TestPerson, "call">, { method, path }: Route) =>
    who.call(method, fillPath(path, {}).slice(PREFIX.length));

  /** The routes that the document says are for admins alone. */
  const forAdmins = async () => {
    const answer = await fetch(`${kith().baseUrl}${PREFIX}/openapi.json`);
    const { paths } = (await answer.json()) as ApiDocument;
    return Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([, it]) => it.description?.startsWith("For admins alone."))
        .map(([method]) => `${method.toUpperCase()} ${PREFIX}${path}`),
    );
  };

  const nameOf = ({ method, path }: Route) =>
    `${method} ${path.replaceAll(/:([a-z_]+)/g, "{$1}")}`;

  test("no administration route of the API answers other users", async () => {
    const unchanged = await kith().snapshot();
    const routes = routesBelow(`${PREFIX}/admin`);
    assert.ok(routes.length >= 2);
    const alone = await forAdmins();
    for (const route of routes) {
      const name = nameOf(route);
      const nobody = await call(kith().anonymous, route);
      assertError(nobody, 401, "Unauthorized", name);
      assertError(await call(user, route), 403, "Forbidden", name);
      if (alone.includes(name))
        assertError(await call(moderator, route), 403, "Forbidden", name);
    }
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("the navigation of a page leads only to existing pages", async () => {
    const pages = routesBelow("/admin").filter(
      ({ method, path }) => method === "GET" && !path.includes(":"),
    );
    const byName = new Map([
      [moderator, await session(moderator)],
      [admin, await session(admin)],
    ]);
    for (const [{ username }, visiting] of byName) {
      const { text, headers } = await visiting.get("/admin");
      assert.match(headers.get("cache-control") ?? "", /private, no-store/);
      assert.match(text, /<meta name="robots" content="noindex"/);
      const [, navigation = ""] =
        /<nav class="sections"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
      const shown = [...navigation.matchAll(/href="([^"]+)"/g)].map(
        ([, path]) => path,
      );
      assert.ok(shown.length > 0);
      for (const { path } of pages) {
        const { status } = await visiting.get(path);
        const expected = shown.includes(path) ? 200 : 404;
        assert.equal(status, expected, `${username} ${path}`);
      }
    }
  });

  test("to others there are no such pages, and no form does anything", async () => {
    const unchanged = await kith().snapshot();
    const plain = await session(user);
    const { text } = await plain.get("/home");
    assert.ok(!text.includes("/admin"));
    const [, csrf_token = ""] = /name="csrf_token"\s+value="([^"]+)"/.exec(
      text,
    ) ?? [""];
    const absent = await plain.get("/no-such-page");
    for (const { method, path } of routesBelow("/admin")) {
      const at = fillPath(path, {});
      const send = (who: typeof plain) =>
        method === "GET" ? who.get(at) : who.post(at, { csrf_token });
      const answer = await send(plain);
      assert.equal(answer.status, 404, at);
      assert.equal(answer.text, absent.text, at);
      const nobody = await send(visitor(kith().baseUrl));
      assert.equal(nobody.status, 302, at);
      assert.match(
        nobody.headers.get("location") ?? "",
        /^\/users\/sign_in\?to=%2Fadmin/,
      );
    }
    const { sessions: _, ...others } = await kith().snapshot();
    const { sessions: __, ...before } = unchanged;
    assert.deepEqual(others, before);
  });

  test("a form without the token of its session does nothing", async () => {
    const visiting = await session(admin);
    const unchanged = await kith().snapshot();
    for (const { method, path } of routesBelow("/admin")) {
      if (method !== "POST") continue;
      assert.equal((await visiting.post(path, {})).status, 403, path);
    }
    assert.deepEqual(await kith().snapshot(), unchanged);
  });

  test("a role that is taken away counts with the next request", async () => {
    const { administration } = kith().server.features;
    const former = await kith().person({ handle: "former", role: "moderator" });
    const visiting = await session(former);
    await former.get("/admin/overview");
    assert.equal((await visiting.get("/admin")).status, 200);
    await administration.setRole(null, { username: "former" }, "user");
    const refused = await former.call("GET", "/admin/overview");
    assertError(refused, 403, "Forbidden", "former");
    assert.equal((await visiting.get("/admin")).status, 404);
  });
});
