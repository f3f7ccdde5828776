import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertFetchRefused, useTestServer } from "./guarded-fetch.fixture.ts";

const kit = useTestServer();

describe("redirects", () => {
  const redirectTo = (location: string, status = 302) => {
    kit.handler = (req, res) => {
      if (req.url === "/start")
        res.writeHead(status, { location }).end("moved");
      else res.end("arrived");
    };
  };

  test("are followed for GET, at most four", async () => {
    kit.handler = (req, res) => {
      const left = Number((req.url ?? "").slice(1));
      if (left === 0) res.end("arrived");
      else res.writeHead(301, { location: `/${String(left - 1)}` }).end();
    };
    assert.equal((await kit.get(kit.at("/4"))).url, kit.at("/0"));
    await assertFetchRefused(kit.get(kit.at("/5")), "too_many_redirects");
    await assertFetchRefused(
      kit.get(kit.at("/5"), { maxRedirects: 20 }),
      "too_many_redirects",
    );
    await assertFetchRefused(
      kit.get(kit.at("/2"), { maxRedirects: 1 }),
      "too_many_redirects",
    );
    await assertFetchRefused(
      kit.get(kit.at("/1"), { maxRedirects: 0 }),
      "too_many_redirects",
    );
    kit.handler = (_req, res) => res.writeHead(302, { location: "/" }).end();
    await assertFetchRefused(kit.get(kit.at("/")), "too_many_redirects");
  });

  test("of a POST are its answer", async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      redirectTo(kit.at("/elsewhere"), status);
      kit.requests = [];
      const answer = await kit.open.request({
        method: "POST",
        url: kit.at("/start"),
        body: "x",
        maxBytes: 100,
        maxRedirects: 4,
      });
      assert.equal(answer.status, status);
      assert.equal(answer.headers["location"], kit.at("/elsewhere"));
      assert.equal(kit.requests.length, 1);
    }
  });

  test("are checked like a first URL", async () => {
    const cases = [
      ["ftp://localhost/", "scheme"],
      ["data:text/plain,hello", "scheme"],
      ["file:///etc/passwd", "scheme"],
      ["http://169.254.169.254/", "host"],
      ["http://metadata.example/", "address"],
      ["http://public.example/", "address"],
      ["http://user@localhost/", "userinfo"],
      ["//[::]/", "host"],
      ["http://", "redirect"],
      ["", "redirect"],
    ];
    for (const [location, reason] of cases) {
      redirectTo(location ?? "");
      await assertFetchRefused(kit.get(kit.at("/start")), reason ?? "");
    }
  });

  test("do not take signatures and tokens along", async () => {
    redirectTo("/end");
    const headers = {
      Signature: "s",
      Authorization: "Bearer t",
      Digest: "d",
      "Signature-Input": "i",
      Accept: "text/plain",
    };
    await kit.get(kit.at("/start"), { headers });
    assert.equal(kit.requests[0]?.headers["signature"], "s");
    const end = kit.requests[1]?.headers;
    assert.equal(end?.accept, "text/plain");
    assert.equal(end?.["signature"], undefined);
    assert.equal(end?.["signature-input"], undefined);
    assert.equal(end?.["digest"], undefined);
    assert.equal(end?.authorization, undefined);
  });

  test("are signed anew, hop by hop", async () => {
    redirectTo(kit.at("/end", "other.localhost"));
    const seen: string[] = [];
    await kit.get(kit.at("/start"), {
      sign: ({ method, url, headers }) => {
        seen.push(`${method} ${url} ${String(headers["host"])}`);
        assert.equal(headers["user-agent"], "Kith/test");
        assert.equal(headers["signature"], undefined);
        return Promise.resolve({ Signature: url, Host: "evil.example" });
      },
    });
    const other = kit.at("/end", "other.localhost");
    assert.deepEqual(seen, [
      `GET ${kit.at("/start")} localhost:${String(kit.port)}`,
      `GET ${other} other.localhost:${String(kit.port)}`,
    ]);
    assert.equal(kit.requests[1]?.headers["signature"], other);
    assert.match(String(kit.requests[1]?.headers.host), /^other\.localhost:/);
  });
});
