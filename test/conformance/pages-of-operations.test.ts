import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import { listRoutes } from "../../packages/server/test/support/server/routes.ts";
import type { ApiDocument } from "../../packages/server/src/http/api-document.ts";
import { PAGES_OF_OPERATIONS } from "./pages-of-operations.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("every operation of the service API has its place in the pages, or a reason for none", async () => {
    const answer = await fetch(`${kith().baseUrl}/api/v0/openapi.json`);
    const { paths } = (await answer.json()) as ApiDocument;
    const operations = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    assert.deepEqual(
      operations.filter((name) => !(name in PAGES_OF_OPERATIONS)),
      [],
      "say in pages-of-operations.ts where people find them",
    );
    assert.deepEqual(
      Object.keys(PAGES_OF_OPERATIONS).filter(
        (name) => !operations.includes(name),
      ),
      [],
      "there are no such operations",
    );
  });

  test("every place is a route of the pages", () => {
    const routes = new Set(
      listRoutes(kith().app).map(({ method, path }) => `${method} ${path}`),
    );
    for (const [name, place] of Object.entries(PAGES_OF_OPERATIONS)) {
      if ("none" in place) {
        assert.notEqual(place.none, "", name);
        continue;
      }
      assert.ok(place.length > 0, name);
      for (const route of place)
        assert.ok(
          routes.has(route) && !route.includes("/api/v0"),
          `${name}: ${route}`,
        );
    }
  });
});
