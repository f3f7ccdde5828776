import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Conversation } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { newGuid } from "../../lib/guids.ts";
import { assertDone, assertRefused } from "./entities.fixture.ts";
import {
  openNeighbourhood,
  type Neighbour,
  type Neighbourhood,
} from "./neighbourhood.fixture.ts";

forEachDatabase((kind) => {
  let home: Neighbourhood;
  let alice: Person;
  let bob: Neighbour;
  let eve: Neighbour;

  before(async () => {
    home = await openNeighbourhood(kind);
    alice = await home.signUp("alice");
    bob = await home.neighbour("bob");
    eve = await home.neighbour("eve");
  });
  after(() => home.close());

  const conversation = (): Conversation => ({
    type: "conversation",
    author: bob.handle,
    guid: newGuid(),
    subject: "Us two",
    participants: `${bob.handle};${alice.handle}`,
    messages: [],
  });

  test("a conversation is taken from its author, by somebody who takes part, and not kept", async () => {
    const { participants } = conversation();
    assertDone(
      await home.receivePrivately(conversation(), bob, alice),
      "ignored: conversation",
    );
    assertRefused(await home.receivePrivately(conversation(), eve, alice));
    assertRefused(await home.receivePublicly(conversation(), bob));
    const others = participants.replace(alice.handle, eve.handle);
    assertRefused(
      await home.receivePrivately(
        { ...conversation(), participants: others },
        bob,
        alice,
      ),
    );
  });

  test("what stands inside of others only is no message of its own", async () => {
    const answer = { type: "poll_answer", guid: newGuid(), answer: "Yes" };
    assertRefused(await home.receivePublicly(answer as never, bob));
  });

  test("a message by somebody else is refused", async () => {
    const message = {
      type: "message",
      author: bob.handle,
      guid: newGuid(),
      text: "Hello",
      conversationGuid: newGuid(),
    } as const;
    assertDone(
      await home.receivePrivately(message, bob, alice),
      "ignored: message",
    );
    assertRefused(await home.receivePrivately(message, eve, alice));
    assert.deepEqual(home.fetched, []);
  });
});
