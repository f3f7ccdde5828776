import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { PASSWORD, useKith } from "../support/server/kith-server.ts";
import { visitor } from "../support/pages/visit.ts";
import { sendAndRead } from "../support/server/raw-http.ts";
import { fillPath, listRoutes } from "../support/server/routes.ts";

/** They differ from one answer to the next. */
const OF_ONE_ANSWER = ["connection", "date", "keep-alive", "set-cookie"];
/** RFC 9110 §8.6 lets an answer to HEAD be without them. */
const OF_CONTENT = ["content-length", "transfer-encoding"];

/** Their GET acts, and needs more than HEAD does. */
const ACTING = ["/notifications/open"];

type Answer = { readonly status: number; readonly headers: object };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  describe("a request for HEAD", () => {
    test("has the answer of GET, on each route", async () => {
      const ann = await kith().person({ handle: "ann", role: "admin" });
      const session = visitor(kith().baseUrl);
      const form = { username: "ann", password: PASSWORD };
      await session.post("/users/sign_in", form);
      const routes = listRoutes(kith().app).filter(
        ({ method, path }) => method === "GET" && !ACTING.includes(path),
      );
      assert.ok(routes.length > 150, String(routes.length));
      const values = { username: "ann", guid: ann.record.Guid };
      const statuses = new Set<number>();
      for (const { path } of routes) {
        const url = kith().baseUrl + fillPath(path, values);
        const headers: Record<string, string> =
          /^\/(?:api|oauth|users\/ann)/.test(path)
            ? { access_token: ann.token, authorization: `Bearer ${ann.token}` }
            : { cookie: session.cookies(), accept: "text/html" };
        const got = await ask(url, "GET", headers);
        const head = await ask(url, "HEAD", headers);
        assert.deepEqual(head, got, path);
        statuses.add(got.status);
      }
      for (const status of [200, 302, 404])
        assert.ok(statuses.has(status), `nothing answers ${status}`);
    });

    test("has no content", async () => {
      const { baseUrl } = kith();
      const { host } = new URL(baseUrl);
      const send = (line: string) =>
        sendAndRead(
          baseUrl,
          `${line} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
        );
      for (const [path, status] of [
        ["/", 200],
        ["/nothing", 404],
        ["/api/v0/nothing", 501],
        ["/api/v0/posts", 401],
        ["/%zz", 400],
      ] as const) {
        const got = await send(`GET ${path}`);
        assert.match(got, /\r\n\r\n[^]/, path);
        const head = await send(`HEAD ${path}`);
        assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), path);
        assert.ok(head.endsWith("\r\n\r\n"), path);
        assert.equal(head.split("\r\n\r\n").length, 2, path);
      }
    });

    test("changes nothing, as it reaches no route of another method", async () => {
      const before = await kith().snapshot();
      for (const path of ["/users/sign_out", "/oauth/revoke", "/inbox"]) {
        const head = await ask(kith().baseUrl + path, "HEAD", {});
        assert.equal(head.status, 404, path);
      }
      assert.deepEqual(await kith().snapshot(), before);
    });
  });
});

async function ask(
  url: string,
  method: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(url, { method, headers, redirect: "manual" });
  // A stream of events would not end.
  await response.body?.cancel();
  const left = [...OF_ONE_ANSWER, ...OF_CONTENT];
  return {
    status: response.status,
    headers: Object.fromEntries(
      [...response.headers]
        .filter(([name]) => !left.includes(name))
        .map(([name, value]) => [name, withoutNonces(value)]),
    ),
  };
}

function withoutNonces(value: string): string {
  return value.replaceAll(/'nonce-[^']+'/g, "'nonce'");
}
