import assert from "node:assert/strict";
import { test } from "node:test";
import {
  befriend,
  settleAll,
  useServers,
} from "../support/remote/several-servers.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  type KithServer,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { plan } from "../support/scenes/planning.ts";
import type { EventRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const servers = useServers(kind, "activitypub,diaspora", 3);

  async function settle(): Promise<void> {
    await settleAll(servers());
  }

  /** Old is followed by somebody on each server, publishes, and moves to New with everything. */
  async function moved() {
    const [first, second, third] = servers() as [
      KithServer,
      KithServer,
      KithServer,
    ];
    const old = await first.person({ handle: "old" });
    const fresh = await second.person({ handle: "fresh" });
    const readers = [
      await first.person({ handle: "ann" }),
      await second.person({ handle: "ben" }),
      await third.person({ handle: "cid" }),
    ];
    for (const reader of readers) {
      await befriend(reader, old.handle);
      await befriend(old, reader.handle, reader.username);
    }
    await settle();
    const edited = await publish(old, "Tea at four");
    const deleted = await publish(old, "Cake at five");
    await plan(old, {
      ...{ summary: "Tea party", start: "2027-05-01T10:00Z" },
      end: "2027-05-01T11:00Z",
    });
    await settle();
    await fresh.put("/users/self/aliases", { aliases: old.handle });
    const agreed = await fresh.post<{ Signature: string }>(
      "/users/self/move/signature",
      { handle: old.handle, direction: "here", password: PASSWORD },
    );
    await old.post("/users/self/move/away", {
      ...{ handle: fresh.handle, password: PASSWORD },
      signature: agreed.Signature,
    });
    await settle();
    return { fresh, readers, edited, deleted };
  }

  const publish = (by: TestPerson, text: string) =>
    by.post<PostRecord>("/posts", { post: text });

  test("posts that moved with their author are edited and deleted on all servers", async () => {
    const { fresh, readers, edited, deleted } = await moved();
    for (const reader of readers) {
      const post = await reader.get<PostRecord>(`/posts/${edited.Guid}`);
      assert.equal(post.Person.Author, fresh.handle);
    }
    await fresh.put(`/posts/${edited.Guid}`, { post: "Tea at six" });
    await fresh.delete(`/posts/${deleted.Guid}`);
    const [event] = await fresh.get<EventRecord[]>("/calendar/events");
    await fresh.put(`/calendar/events/${event?.ID ?? assert.fail()}`, {
      ...{ start: "2027-06-01T10:00Z", end: "2027-06-01T11:00Z" },
    });
    await settle();
    for (const reader of readers) {
      const post = await reader.get<PostRecord>(`/posts/${edited.Guid}`);
      assert.equal(post.Text, "Tea at six", reader.handle);
      await reader.notFound("GET", `/posts/${deleted.Guid}`);
      const [coming] = await reader.get<EventRecord[]>("/calendar/events");
      assert.equal(coming?.Start, "2027-06-01T10:00:00.000Z", reader.handle);
    }
  });
});
