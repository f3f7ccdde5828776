import assert from "node:assert/strict";
import { test } from "node:test";
import type { PersonId, UserId } from "../../features/ids.ts";
import { NO_ADDRESSES, type Person } from "../../features/people/index.ts";
import { createFanOutSender } from "./fan-out.ts";
import type { Outgoing } from "./outgoing.ts";

const somebody = (id: number): Person =>
  ({
    id: id as PersonId,
    userId: null,
    state: "active",
    protocol: "activitypub",
    addresses: { ...NO_ADDRESSES, actorUri: `https://far.example/${id}` },
  }) as Person;

/** Copying an array takes one of these steps for each of its elements. */
async function countSteps(run: () => Promise<unknown>): Promise<number> {
  const iterator = Object.getPrototypeOf([][Symbol.iterator]()) as object;
  const original = Object.getOwnPropertyDescriptor(iterator, "next") ?? {};
  const next = original.value as (this: unknown) => unknown;
  let steps = 0;
  const counted = function (this: unknown) {
    steps += 1;
    return next.call(this);
  };
  Object.defineProperty(iterator, "next", { ...original, value: counted });
  try {
    await run();
  } finally {
    Object.defineProperty(iterator, "next", original);
  }
  return steps;
}

test("twice as many recipients cost twice the work", async () => {
  const sendTo = async (count: number) => {
    const people = Array.from({ length: count }, (_, at) => somebody(at + 1));
    const ids = people.map(({ id }) => id);
    let rendered = 0;
    const send = createFanOutSender({
      blocks: { listBlockedAmong: async () => [] },
      contacts: { listIds: async () => ids },
      people: { listRecipients: async () => people },
      dispatch: async () => {},
      senders: {
        activitypub: {
          render: async (_outgoing: unknown, { length }: readonly Person[]) => {
            rendered = length;
            return [];
          },
        },
      },
    } as never);
    const by = { ...somebody(0), userId: 1 as UserId };
    const change = { kind: "profile", by } as unknown as Outgoing;
    const steps = await countSteps(() => send(change));
    assert.equal(rendered, count);
    return steps;
  };
  const [few, many] = [await sendTo(500), await sendTo(1_000)];
  assert.ok(many < 2.5 * few, `${few} steps became ${many}`);
});
