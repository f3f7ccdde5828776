import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "@kith/activitypub";
import { forDatabasesInTime } from "../../packages/server/test/support/scenes/long-run.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../../packages/server/test/support/remote/remote-server.ts";
import { root } from "../../scripts/project-files.ts";
import { ACTS } from "./case-acts.ts";
import { FOR_ALL, useCaseServers } from "./case-town.ts";

test("case 11: every handled type of activity is in the table", () => {
  const file = "packages/server/src/federation/activitypub/handle-inbound.ts";
  const source = readFileSync(path.join(root, file), "utf8");
  const handled = source.matchAll(/^ {4}case "([A-Za-z]+)":/gm);
  const types = [...new Set([...handled].map(([, type = ""]) => type))];
  assert.deepEqual(types.sort(), Object.keys(ACTS).sort());
});

const inboxesOf = (username: string) => [
  "/api/v1/ap/inbox",
  `/api/v1/ap/person/${username}/inbox`,
  `/api/v0/ap/user/${username}/inbox`,
];

/** Requests: each is answered by an Accept or a Reject, which is kept for a time. */
const ANSWERED = new Set(["Follow", "Join", "QuoteRequest"]);

forDatabasesInTime((kind) => {
  const town = useCaseServers(kind);
  const { kith, ann, honest, mallory, meet, unharmed } = town;
  let third: RemoteServer;
  let blocked: RemoteActor;
  let names = 0;
  before(async () => {
    third = await RemoteServer.start("third.localhost");
    blocked = honest();
    await meet(blocked);
    const { ID } = await ann().post<{ ID: number }>("/search", {
      handle: blocked.handle,
    });
    await ann().post(`/people/${ID}/block`);
  });
  after(() => third.close());

  const { changedBy } = town;

  for (const [type, { of, by: prepare }] of Object.entries(ACTS))
    describe(`case 11: ${type}, from every sender`, () => {
      test(`case 11: ${type} takes effect only by its author, once`, async () => {
        const author = await meet(honest());
        const sameServer = await meet(honest());
        names += 1;
        const stranger = await meet(third.actor(`wanda${names}`));
        const make = await prepare(town, author);
        const send = (by: RemoteActor, activity: JsonObject) =>
          by.send(kith(), activity);
        // In the author's name, signed by others: on the same server, and on a third one.
        const claimed = make(author);
        const altered = { ...claimed, content: "x" };
        // Together: user data is compared before and after all of it.
        await unharmed(async () => {
          for (const other of [sameServer, stranger]) {
            await send(other, claimed);
            if (of === "author") await send(other, make(other));
          }
          await author.send(kith(), claimed, { signedBy: sameServer });
          await author.send(kith(), claimed, { altered });
        }, "by others");
        const changed = await changedBy(() => send(author, claimed));
        assert.notDeepEqual(changed, [], "by itself");
        // Signed anew, a known id is a new request (some servers reuse their
        // ids): it changes nothing, but is answered again.
        const again = await changedBy(() => send(author, claimed));
        const kept = ANSWERED.has(type) ? ["sent_activities"] : [];
        const others = again.filter((table) => !kept.includes(table));
        assert.deepEqual(others, [], "again");
      });

      if (of === "anybody" && type !== "Flag" && type !== "Block")
        test(`case 11: ${type} of a blocked person has no effect`, async () => {
          const make = await prepare(town, blocked);
          const changed = await changedBy(async () =>
            blocked.send(kith(), make(blocked)),
          );
          // The type of its actor may be stored; and a request is answered, with a Reject.
          const kept = ["remote_actors"];
          if (type === "Follow" || type === "QuoteRequest")
            kept.push("sent_activities");
          const others = changed.filter((table) => !kept.includes(table));
          assert.deepEqual(others, []);
        });
    });

  test("case 14: only retractions of a suspended person take effect, in any way of delivery", async () => {
    const made: [string, RemoteActor, JsonObject][] = [];
    const forwarder = await meet(honest());
    for (const [type, { by: prepare }] of Object.entries(ACTS)) {
      const author = await meet(honest());
      made.push([type, author, (await prepare(town, author))(author)]);
    }
    await kith().settle();
    for (const [, { handle }] of made) await town.decideOn(handle, "suspend");
    await kith().settle();
    const object = forwarder.note();
    const anothers = forwarder.activity("Create", { ...FOR_ALL, object });
    /** Through the shared inbox and ann's own, and forwarded by another person, who brings nothing at all in another's name. */
    const sendAll = async (
      [type, author, activity]: (typeof made)[number],
      status: number,
    ) => {
      for (const to of inboxesOf(ann().username)) {
        const sent = await author.send(kith(), activity, { to });
        assert.equal(sent.status, status, `${type} ${to}`);
      }
      await forwarder.send(kith(), activity);
      const replayed = await author.send(kith(), anothers);
      assert.equal(replayed.status, 403, type);
    };
    const takesBack = ([type]: (typeof made)[number]) =>
      type === "Delete" || type === "Undo";
    await unharmed(async () => {
      for (const one of made) if (!takesBack(one)) await sendAll(one, 403);
    });
    for (const one of made.filter(takesBack))
      assert.notDeepEqual(await changedBy(() => sendAll(one, 202)), []);
  });

  describe("case 11: a blocked host", () => {
    test("case 11: is refused whatever it sends, in its own name or another's", async () => {
      const eve = await meet(mallory());
      const author = await meet(honest());
      const made: [string, JsonObject, JsonObject][] = [];
      for (const [type, { by: prepare }] of Object.entries(ACTS)) {
        const one = type === "Move" ? await meet(honest()) : author;
        const make = await prepare(town, one);
        made.push([type, make(eve), make(one)]);
      }
      await town.block();
      const { clock } = kith();
      // Jobs deferred to the next minute, such as thread announcements, are not their effects.
      clock.stopAt(clock.now());
      await kith().settle();
      const unchanged = await kith().snapshot();
      for (const [type, own, anothers] of made)
        for (const activity of [own, anothers]) {
          const { status } = await eve.send(kith(), activity);
          assert.equal(status, 403, type);
        }
      await kith().settle();
      assert.deepEqual(await kith().snapshot(), unchanged);
      clock.goOn();
    });
  });
});
