import assert from "node:assert/strict";
import { test } from "node:test";
import { withLogContext } from "./log-context.ts";
import { createLog } from "./log.ts";

function logging(level: string, hide?: (line: string) => string) {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  return { log: createLog(level, hide, { write }), lines };
}

test("secrets are removed from a line, wherever they stand", () => {
  const { log, lines } = logging("info", (line) =>
    line.replaceAll("secret", "[hidden]"),
  );
  const child = log.child({ of: "secret" });
  child.warn({ err: new Error("a secret"), url: "/secret" }, "The secret");
  log.debug("secret");
  assert.equal(lines.length, 1);
  const [line = ""] = lines;
  assert.ok(!line.includes("secret"), line);
  const record = JSON.parse(line) as Record<string, unknown>;
  assert.equal(record["msg"], "The [hidden]");
  assert.equal(record["url"], "/[hidden]");
});

test("an error of PostgreSQL is logged without the row", () => {
  const { log, lines } = logging("info");
  const error = Object.assign(new Error("null value in column"), {
    code: "23502",
    detail: "Failing row contains (1, a secret).",
    where: "a secret",
  });
  log.warn({ err: error }, "A job failed");
  assert.ok(!lines[0]?.includes("secret"));
  const { err } = JSON.parse(lines[0] ?? "") as { err: { code: string } };
  assert.equal(err.code, "23502");
});

test("a line says to which request or job it belongs, also after a while", async () => {
  const { log, lines } = logging("info");
  await Promise.all([
    withLogContext({ requestId: "r1" }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      log.info("one");
    }),
    withLogContext({ job: 7, kind: "note" }, async () => log.info("two")),
  ]);
  log.info("three");
  const found = lines.map((line) => {
    const { requestId, job, kind, msg } = JSON.parse(line) as Line;
    return [msg, requestId, job, kind];
  });
  assert.deepEqual(found, [
    ["two", undefined, 7, "note"],
    ["one", "r1", undefined, undefined],
    ["three", undefined, undefined, undefined],
  ]);
});

type Line = Record<string, unknown>;

test("an error of the HTTP parser is logged without the request", () => {
  const { log, lines } = logging("trace");
  const rawPacket = Buffer.from("GET /secret HTTP/1.1");
  const error = Object.assign(new Error("Parse Error"), {
    code: "HPE_INVALID_HEADER_TOKEN",
    rawPacket,
  });
  log.trace({ err: error }, "client error");
  const { err } = JSON.parse(lines[0] ?? "") as { err: object };
  assert.ok(!("rawPacket" in err));
  assert.equal((err as { code: string }).code, "HPE_INVALID_HEADER_TOKEN");
  assert.equal((err as { message: string }).message, "Parse Error");
});
