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

  test("deliveries to hosts that were slow, or failed, take their turns after all others", async (t) => {
    const sender = await openSender(kind);
    t.after(() => sender.close());
    const { inbox, origin } = sender.peer;
    sender.peer.goDown();
    await sender.put("in vain");
    await sender.settle();
    sender.speeds.note("https://slow.example", false);
    sender.speeds.note("https://quick.example", true);
    const others = ["slow", "quick", "new"].map(
      (it) => `https://${it}.example`,
    );
    const urls = others.map((it) => `${it}/inbox`);
    await sender.send("a post", [inbox, ...urls], { about: "a post" });
    const now = sender.clock.now().getTime();
    const late = (await sender.jobs())
      .filter(({ lane }) => lane?.endsWith(" a post"))
      .filter(({ turn }) => Date.parse(turn) - now >= 10_000);
    assert.deepEqual(
      late.map(({ host }) => host),
      [origin, "https://slow.example"],
    );
  });
});
