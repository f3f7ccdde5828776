import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { useKith } from "../support/server/kith-server.ts";
import { sendAndRead } from "../support/server/raw-http.ts";

const JSON_TYPE = "application/json";

describe("a body that is refused", () => {
  const kith = useKith("sqlite");

  for (const [name, path, type, body, status] of [
    ["no JSON", "/api/v0/oauth/tokens", JSON_TYPE, "{", 400],
    ["a picture", "/api/v0/oauth/tokens", "image/png", "x", 415],
    ["too large", "/api/v0/oauth/tokens", JSON_TYPE, "1".repeat(9e6), 413],
    ["no JSON, from an app", "/api/v1/apps", JSON_TYPE, "[", 400],
  ] as const)
    test(`leaves its connection open once it was read: ${name}`, async () => {
      const { baseUrl } = kith();
      const { host } = new URL(baseUrl);
      const answers = await sendAndRead(
        baseUrl,
        `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${type}\r\n` +
          `content-length: ${body.length}\r\n\r\n${body}` +
          `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
      );
      const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)];
      assert.deepEqual(
        statuses.map(([, code]) => Number(code)),
        [status, 200],
      );
    });

  test("ends with its connection where the client wants that, or where it breaks off", async () => {
    const { baseUrl } = kith();
    const { host } = new URL(baseUrl);
    const head = `POST /api/v0/oauth/tokens HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${JSON_TYPE}\r\n`;
    const closed = await sendAndRead(
      baseUrl,
      `${head}connection: close\r\ncontent-length: 1\r\n\r\n{`,
    );
    assert.match(closed, /^HTTP\/1\.1 400 [^]*^connection: close\r$/im);
    const broken = `${head}transfer-encoding: chunked\r\n\r\nno length\r\n`;
    const answers = await sendAndRead(
      baseUrl,
      `${broken}GET /healthz HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
    );
    assert.match(answers, /^HTTP\/1\.1 400 /);
    assert.doesNotMatch(answers, /HTTP\/1\.1 200/);
  });

  test("is not read where it is compressed", async () => {
    const answer = await fetch(`${kith().baseUrl}/api/v0/oauth/tokens`, {
      method: "POST",
      headers: { "content-type": JSON_TYPE, "content-encoding": "gzip" },
      body: gzipSync("{}"),
    });
    assert.equal(answer.status, 415);
  });

  for (const [name, head, status, error] of [
    [
      "an endless address",
      `GET /${"a".repeat(20_000)} HTTP/1.1`,
      431,
      "Request header fields too large",
    ],
    ["no HTTP", "nonsense", 400, "Bad request"],
    [
      "two lengths",
      "POST /api/v0/oauth/tokens HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2",
      400,
      "Bad request",
    ],
  ] as const)
    test(`a request that cannot be parsed gets the error object as well: ${name}`, async () => {
      const { baseUrl } = kith();
      const { host } = new URL(baseUrl);
      const answer = await sendAndRead(
        baseUrl,
        `${head}\r\nhost: ${host}\r\n\r\n`,
      );
      const [top = "", body = ""] = answer.split("\r\n\r\n");
      assert.match(top, RegExp(`^HTTP/1.1 ${status} `));
      assert.deepEqual(JSON.parse(body), { error });
    });
});
