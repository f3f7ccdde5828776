import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { compose } from "../../src/compose/server.ts";
import { readConfig } from "../../src/config/config.ts";
import { openDatabase } from "../../src/db/open-database.ts";
import { openNotices } from "../../src/db/postgres/notices.ts";
import { silentLog } from "../../src/observability/log.ts";
import { befriend } from "../support/remote/several-servers.ts";
import { testCredentials } from "../support/server/credentials.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  startKith,
  useKith,
  type KithServer,
} from "../support/server/kith-server.ts";
import { watchChanges } from "../support/streams/event-reader.ts";

/** What another process has of the same database: its own connections and features. */
async function openBeside({ location, clock, dataDir }: KithServer) {
  const db = await openDatabase(location);
  const notices = await openNotices(location);
  const { config } = readConfig({ KITH_DATA_DIR: dataDir }, {});
  const server = compose({
    ...{ config, db, clock, notices, version: "0" },
    log: silentLog(),
    secretKey: randomBytes(32),
    credentials: testCredentials,
  });
  const close = async (): Promise<void> => {
    await server.close();
    await notices.close();
    await db.close();
  };
  return { features: server.features, close };
}

forEachDatabase((kind) => {
  const kith = useKith(kind, { notifies: true });

  test("a stream ends when another process ends its token", async () => {
    const reader = await kith().person();
    const issued = await kith().token(reader.username, "other");
    const beside = await openBeside(kith());
    const stream = await watchChanges(kith().baseUrl, issued.token);
    await beside.features.accounts.deleteToken(reader.record.UserID, issued.ID);
    await stream.ended;
    await beside.close();
  });

  test("a server that stops ends its streams", async () => {
    const stopped = await startKith(kind);
    const reader = await stopped.person();
    const stream = await watchChanges(stopped.baseUrl, reader.token);
    await stopped.close();
    await stream.ended;
    assert.ok(stream.response.complete, "the answer has its end");
  });

  if (kind === "sqlite") return;

  test("a stream reports commits of other processes, and nothing to those who may not see them", async () => {
    const author = await kith().person();
    const reader = await kith().person();
    await befriend(reader, author.handle);
    const { ID: aspectId } = await author.post<{ ID: number }>("/aspects", {
      name: "nobody",
    });
    const beside = await openBeside(kith());
    const stream = await watchChanges(kith().baseUrl, reader.token);
    const { posts } = beside.features;
    const { UserID: userId, ID: personId } = author.record;
    const self = { userId, personId };
    const aspects = await beside.features.aspects.list(userId);
    const aspect = aspects.find(({ id }) => id === aspectId);
    assert.ok(aspect);
    const hidden = await posts.publish({
      author: self,
      text: "hidden",
      audience: { kind: "aspects", aspectIds: [aspect.id] },
    });
    const shown = await posts.publish({ author: self, text: "shown" });
    await posts.deleteOrHide(self, hidden.guid);
    await posts.deleteOrHide(self, shown.guid);
    const { guid: last } = await posts.publish({ author: self, text: "last" });
    const events = await stream.until(({ data }) => data["Guid"] === last);
    assert.deepEqual(
      events.filter(({ event }) => event === "deletion").map((it) => it.data),
      [{ ID: shown.id, Guid: shown.guid }],
    );
    assert.ok(events.every(({ data }) => data["Guid"] === shown.guid));
    stream.leave();
    await beside.close();
  });
});
