import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { openSender } from "../delivery/sender.fixture.ts";

forEachDatabase((kind) => {
  test("unsent messages are withdrawn when their author leaves, except for retractions", async (t) => {
    const sender = await openSender(kind);
    t.after(() => sender.close());
    const { inbox } = sender.peer;
    sender.peer.goDown();
    await sender.put("a post", { lane: "a post" });
    await sender.put("its end", { lane: "its end", evenSuspended: true });
    await sender.settle();
    await sender.send("farewell", [inbox], { about: "person", isLast: true });
    const dead = (await sender.jobs()).filter(({ state }) => state === "dead");
    assert.deepEqual(
      dead.map(({ last_error }) => last_error),
      ["Its author is gone"],
    );
    sender.peer.comeBack();
    sender.clock.advance(60_000);
    await sender.settle();
    const came = sender.peer.received.map(({ body }) => body);
    assert.deepEqual(came.toSorted(), ["farewell", "its end"]);
  });
});
