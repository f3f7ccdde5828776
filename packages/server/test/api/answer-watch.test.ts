import assert from "node:assert/strict";
import { test } from "node:test";
import fastify from "fastify";
import Type from "typebox";
import { summarizeAnswers } from "../../../../scripts/testing/test-answers.ts";
import { describeApi, DOCUMENT_ROUTE } from "../../src/api/openapi/openapi.ts";
import type { DescribedRoute } from "../../src/api/kit/route.ts";
import { listOf, one } from "../../src/api/schemas/schemas.ts";
import {
  REFUSED_STATUS,
  watchAnswers,
  watchFetch,
} from "../support/server/answer-watch.ts";

const CALENDAR = {
  ID: 1,
  CreatedAt: "2026-01-02T03:04:05.678Z",
  UpdatedAt: "2026-01-02T03:04:05.678Z",
  Name: "work",
  UserID: 7,
  Default: false,
};

const route = (
  path: string,
  more: Partial<Omit<DescribedRoute, "name" | "scope">>,
): DescribedRoute => ({
  name: `show${path}`,
  method: "GET",
  limit: "read",
  scope: "read",
  path,
  summary: "Shows",
  input: Type.Object({}),
  output: one("Calendar"),
  ...more,
});

const DOCUMENT = describeApi({
  baseUrl: "http://localhost",
  version: "v0",
  routes: [
    route("/calendar/:id", {}),
    route("/calendar", { output: listOf("Calendar") }),
  ],
  others: [{ ...DOCUMENT_ROUTE, access: "anyone" }],
});

type Wrong = {
  readonly url?: string;
  readonly status?: number;
  readonly type?: string;
  readonly body: unknown;
};

/** Sends one answer through the watched application. */
async function answerWith({ url, status, type, body }: Wrong) {
  const complaints: string[] = [];
  let checked = 0;
  const app = fastify();
  watchAnswers(app, {
    report: {
      checked: () => (checked += 1),
      refused: (complaint) => complaints.push(complaint),
    },
  });
  app.decorateRequest("parameters");
  app.addHook("onRequest", async (request) => {
    request.parameters = request.query as Record<string, unknown>;
  });
  app.get("/api/v0/openapi.json", async () => DOCUMENT);
  app.get("/api/v0/*", async (_request, reply) =>
    reply
      .code(status ?? 200)
      .type(type ?? "application/json; charset=utf-8")
      .send(typeof body === "string" ? body : JSON.stringify(body)),
  );
  const answer = await app.inject({ url: url ?? "/api/v0/calendar/1" });
  assert.equal(checked, 1);
  return { complaints, status: answer.statusCode, text: answer.body };
}

const WRONG: Readonly<Record<string, Wrong>> = {
  "a field too few": { body: { ...CALENDAR, Default: undefined } },
  "a field too many": { body: { ...CALENDAR, secret: "x" } },
  "a field of another type": { body: { ...CALENDAR, ID: "1" } },
  "null where a record is due": { body: null },
  "a time without milliseconds": {
    body: { ...CALENDAR, CreatedAt: "2026-01-02T03:04:05Z" },
  },
  "a time that is none": {
    body: { ...CALENDAR, CreatedAt: "2026-13-02T03:04:05.000Z" },
  },
  "a list for a record": { body: [CALENDAR] },
  "a record for a list": { url: "/api/v0/calendar", body: CALENDAR },
  "a selection that was not asked for": { body: { ID: 1 } },
  "a blank selection": { url: "/api/v0/calendar/1?fields=", body: { ID: 1 } },
  "a selection with a field of another type": {
    url: "/api/v0/calendar/1?fields=ID",
    body: { ID: "1" },
  },
  "a status that is not documented": { status: 418, body: { error: "Tea" } },
  "no content": { status: 204, body: "" },
  HTML: { type: "text/html", body: "<p>" },
  "no JSON": { body: "{" },
  "an error with more to it": {
    status: 404,
    body: { error: "Not found", cause: "x" },
  },
  "an error with another message": { status: 404, body: { error: "Oops" } },
  "an error as a text": { status: 404, body: '"Not found"' },
  "an operation that is not documented": { url: "/api/v0/x", body: {} },
  "another message where nothing is served": {
    url: "/api/v0/x",
    status: 501,
    body: { error: "Nope" },
  },
};

for (const [name, wrong] of Object.entries(WRONG))
  test(`the watcher refuses ${name}`, async () => {
    const { complaints, status, text } = await answerWith(wrong);
    assert.equal(complaints.length, 1);
    assert.equal(status, REFUSED_STATUS);
    assert.equal(text, complaints[0]);
    assert.match(text, /^GET \/api\/v0\/\S+ answered \d+, which is not/);
  });

const RIGHT: Readonly<Record<string, Wrong>> = {
  "a record": { body: CALENDAR },
  "a list": { url: "/api/v0/calendar", body: [CALENDAR, CALENDAR] },
  "a selection": { url: "/api/v0/calendar/1?fields=ID", body: { ID: 1 } },
  "a slash at the end": { url: "/api/v0/calendar/1/", body: CALENDAR },
  "a documented error": { status: 404, body: { error: "Not found" } },
  "nothing served": {
    url: "/api/v0/x",
    status: 501,
    body: { error: "Not implemented" },
  },
};

for (const [name, right] of Object.entries(RIGHT))
  test(`the watcher lets ${name} pass`, async () => {
    const { complaints, status } = await answerWith(right);
    assert.deepEqual(complaints, []);
    assert.equal(status, right.status ?? 200);
  });

test("answers of another process are checked where a test fetches them", async () => {
  const complaints: string[] = [];
  const json = { headers: { "content-type": "application/json" } };
  const elsewhere = async (url: unknown) => {
    const isDocument = String(url).endsWith("/openapi.json");
    const body = isDocument ? DOCUMENT : { ...CALENDAR, secret: "x" };
    return new Response(JSON.stringify(body), json);
  };
  const ask = watchFetch(elsewhere, {
    checked: () => {},
    refused: (complaint) => complaints.push(complaint),
  });
  const { status } = await ask("http://localhost:1/api/v0/calendar/1");
  assert.equal(status, REFUSED_STATUS);
  assert.equal(complaints.length, 1);
  const federation = await ask("http://localhost:1/api/v0/ap/inbox");
  assert.equal(federation.status, 200);
});

test("a run with a refused answer is a failed run", () => {
  const good = summarizeAnswers({ checked: 3, refused: [] });
  assert.equal(good.isGood, true);
  assert.deepEqual(good.lines, [
    "3 answers of the API checked against its document, 0 refused",
  ]);
  const bad = summarizeAnswers({ checked: 3, refused: ["a complaint"] });
  assert.equal(bad.isGood, false);
  assert.deepEqual(bad.lines, [
    "a complaint",
    "3 answers of the API checked against its document, 1 refused",
  ]);
});
