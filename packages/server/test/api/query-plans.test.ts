import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { before, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { compose } from "../../src/compose/server.ts";
import { readConfig } from "../../src/config/config.ts";
import { silentLog } from "../../src/observability/log.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { fillWithPosts } from "../support/scenes/many-posts.ts";
import { findSlowSteps, WatchedReads } from "../support/scenes/query-plans.ts";

const LISTS = [
  "/posts?visibility=0",
  "/posts?visibility=0&offset=1000",
  "/posts?visibility=1",
  "/posts?visibility=1&offset=1000",
  "/posts?visibility=2",
  "/posts?visibility=2&offset=1000",
  "/home",
  "/home?offset=100",
  "/home?before=2000&reshares=false",
  "/home?after=2000",
  "/home?replies=all",
  "/home?replies=list&before=2000000000",
  "/home?replies=followed&after=2000",
  "/posts/1",
  "/posts/one-of-many-posts-1",
  "/posts/1/comments",
  "/posts/1/comments?offset=1000",
  "/posts/1/likes",
  "/posts/1/reshares",
  "/comments/1",
  "/comments/one-of-many-comments-1/likes",
  "/people/100/stream",
  "/notifications",
  "/notifications?offset=1000",
  "/notifications?unread=true",
  "/notifications/1000",
];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let watched: WatchedReads;
  let app: FastifyInstance;
  let reader: TestPerson;
  before(async () => {
    for (let count = 0; count < 4; count += 1) await kith().person();
    reader = await kith().person();
    const { db, clock } = kith();
    await fillWithPosts(db);
    watched = new WatchedReads(db);
    const { config } = readConfig({}, {});
    const log = silentLog();
    const secretKey = randomBytes(32);
    const parts = { config, clock, log, secretKey, version: "0" };
    app = await compose({ ...parts, db: watched.db }).createApp();
  });

  for (const path of LISTS)
    test(`GET ${path} reads by indexes alone`, async () => {
      watched.take();
      const answer = await app.inject({
        url: `/api/v0${path}`,
        headers: { access_token: reader.token },
      });
      assert.ok([200, 404].includes(answer.statusCode), answer.body);
      if (!path.startsWith("/notifications/"))
        assert.equal(answer.statusCode, 200, answer.body);
      const queries = watched.take();
      assert.ok(queries.length > 0);
      for (const query of queries)
        assert.deepEqual(await findSlowSteps(kith().db, query), [], query.sql);
    });

  const SLOW = [
    "select id from posts where text = 'x'",
    "select id from posts where provider_name = 'x' order by id desc limit 10",
    "select id from comments where post_id = 1 order by created_at limit 10",
    "select id from likes where created_at = 'x' and positive",
    "select p.id from posts as p join comments on comments.text = p.text",
  ];
  for (const text of SLOW)
    test(`finds that this is slow: ${text}`, async () => {
      const query = sql.raw(text).compile(kith().db.read);
      assert.notDeepEqual(await findSlowSteps(kith().db, query), []);
    });
});
