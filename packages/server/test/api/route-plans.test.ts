import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { compose } from "../../src/compose/server.ts";
import { readConfig } from "../../src/config/config.ts";
import { silentLog } from "../../src/observability/log.ts";
import { visitor } from "../support/pages/visit.ts";
import { fillWithPosts } from "../support/scenes/many-posts.ts";
import {
  findScansOnSqlite,
  WatchedReads,
} from "../support/scenes/query-plans.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { fillPath, listRoutes } from "../support/server/routes.ts";

// On SQLite one process answers everybody: a query that reads a whole table holds up all.

/** Routes whose queries read more, and why. */
const READING_MUCH: Readonly<Record<string, string>> = {
  "/api/v1/ap/person/:username/inbox":
    "the number of its items is that of all posts that its owner may see",
  "/api/v1/trends": "the newest posts in their order, up to a number",
  "/api/v1/trends/statuses": "the newest posts in their order, up to a number",
};

/** Answers that do not end, and files of everything. */
const ENDLESS = /streaming|\/live$|\/changes$|\/export$|\*/;

const QUERIES = [
  ...["", "?only_media=true", "?exclude_reblogs=true&exclude_replies=true"],
  ...["?q=hello&type=accounts", "?local=true&order=new", "?remote=true"],
  ...["?tagged=cat", "?offset=100", "?max_id=2000000"],
];

describe("queries of routes", () => {
  const kith = useKith("sqlite");
  let watched: WatchedReads;
  let app: FastifyInstance;
  let reader: TestPerson;
  let cookie: string;
  before(async () => {
    reader = await kith().person({ role: "admin" });
    await kith().person();
    const { baseUrl, db, clock } = kith();
    await fillWithPosts(db);
    const session = visitor(baseUrl);
    const { username } = reader;
    await session.post("/users/sign_in", { username, password: PASSWORD });
    cookie = session.cookies();
    watched = new WatchedReads(db);
    const { config } = readConfig({ KITH_BASE_URL: baseUrl }, {});
    const [log, secretKey] = [silentLog(), randomBytes(32)];
    const parts = { config, clock, log, secretKey, version: "0" };
    app = await compose({ ...parts, db: watched.db }).createApp();
  });

  /** The routes that are asked, each with an object that exists where it names one. */
  function* listAsked(): Generator<{ route: string; url: string }> {
    for (const { method, path: route } of listRoutes(app)) {
      if (method !== "GET" || ENDLESS.test(route)) continue;
      const isOfPerson = /people|accounts|person|hcard|\/u\//.test(route);
      const names = isOfPerson
        ? { id: "100", username: reader.username }
        : { id: "1", guid: "one-of-many-posts-1", tag: "cat", name: "cat" };
      const queries = /^\/api\//.test(route) ? QUERIES : QUERIES.slice(0, 4);
      for (const query of queries)
        yield { route, url: fillPath(route, names) + query };
    }
  }

  test("no page and no call reads a whole table of people, posts or what they did", async () => {
    const found = new Map<string, string>();
    const known = new Set<string>();
    for (const { route, url } of listAsked())
      for (const isSignedIn of [false, true]) {
        watched.take();
        const accept = url.includes("/ap/")
          ? "application/activity+json"
          : "*/*";
        const token = { authorization: `Bearer ${reader.token}` };
        const identity = url.startsWith("/api/") ? token : { cookie };
        const headers = { accept, ...(isSignedIn ? identity : {}) };
        await app.inject({ url, headers });
        for (const query of watched.take()) {
          if (known.has(query.sql)) continue;
          known.add(query.sql);
          const scans = await findScansOnSqlite(kith().db, query);
          if (scans.length > 0 && !(route in READING_MUCH))
            found.set(query.sql, `${url}: ${scans.join(", ")}`);
        }
      }
    assert.ok(known.size > 200, `Only ${known.size} queries were asked`);
    assert.deepEqual([...found], []);
  });

  test("a query that reads a whole table is found", async () => {
    const { db } = kith();
    watched.take();
    await watched.db.read
      .selectFrom("posts as written")
      .innerJoin("people", "people.id", "written.person_id")
      .select("written.id")
      .where("written.text", "=", "x")
      .execute();
    const [query = assert.fail()] = watched.take();
    assert.deepEqual(await findScansOnSqlite(db, query), ["SCAN written"]);
  });
});
