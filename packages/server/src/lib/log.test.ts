import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "./log.ts";

function logging(level: string, hide?: (line: string) => string) {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  return { log: createLog(level, hide, { write }), lines };
}

test("what must not stand in a line is taken out, wherever it was said", () => {
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
