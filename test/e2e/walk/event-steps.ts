import assert from "node:assert/strict";
import type { EventRecord } from "../../../packages/server/test/support/server/wire.ts";
import { eventually } from "../../support/kith-process.ts";
import type { Resident } from "../../support/resident.ts";
import {
  agree,
  assertHidden,
  eventOf,
  listNotifications,
  sayEvent,
  viewPost,
  type PostView,
} from "./look.ts";
import { strangers, type Step, type Servers } from "./town.ts";

export const publicEvent: Step = {
  name: "a public event is answered from every server",
  walk: async (town) => {
    const { ann, bob, cid } = town;
    await meet(town, [ann, bob, cid, ...strangers(town)], undefined);
  },
};

export const limitedEvent: Step = {
  name: "a limited event is answered by its readers",
  walk: async (town) => {
    const { ann, bob, cid, friends, servers } = town;
    const { post, events } = await meet(town, [ann, bob, cid], friends);
    await assertHidden(post, strangers(town), servers);
    for (const { api } of strangers(town))
      for (const event of events) {
        const path = `/calendar/events/${event}`;
        assert.equal((await api.call("GET", path)).status, 404);
        const answer = { status: "accepted" };
        const put = await api.call("PUT", `${path}/participation`, answer);
        assert.equal(put.status, 404);
      }
  },
};

/** Ann announces an event; Bob and Cid answer, and Bob changes his answer. */
async function meet(
  town: Servers,
  viewers: readonly Resident[],
  aspect: string | undefined,
): Promise<{ post: string; events: readonly string[] }> {
  const { ann, bob, cid } = town;
  const event = await ann.invite("Harvest", aspect);
  const [newest] = await ann.api.getList("/posts?limit=1");
  assert.ok(newest);
  const post = String(newest["Guid"]);
  const here = {
    by: "ann",
    text: String(newest["Text"]),
    public: !aspect,
    event: sayEvent(event),
  };
  const agreeOn = async (answers: Record<string, string>) => {
    await agree(viewers, post, { ...here, answers });
  };
  await agreeOn({});
  const [bobs, cids] = [await eventOf(bob, post), await eventOf(cid, post)];
  await bob.answer(bobs, "accepted");
  await cid.answer(cids, "tentative");
  await agreeOn({ bob: "accepted", cid: "tentative" });
  await bob.answer(bobs, "declined");
  await ann.answer(event, "accepted");
  await agreeOn({ ann: "accepted", bob: "declined", cid: "tentative" });
  return { post, events: [event.Guid, bobs.Guid, cids.Guid] };
}

export const changedEvent: Step = {
  name: "a changed event is changed everywhere",
  walk: async (town) => {
    const { ann, bob, cid, cat, friends } = town;
    for (const aspect of [undefined, friends]) {
      const event = await ann.invite("Choir", aspect);
      const [newest] = await ann.api.getList("/posts?limit=1");
      const post = String(newest?.["Guid"]);
      const viewers = aspect ? [bob, cid] : [bob, cid, cat];
      for (const who of viewers) await eventually(() => eventOf(who, post));
      await bob.answer(await eventOf(bob, post), "accepted");
      const changed = await ann.api.put(`/calendar/events/${event.Guid}`, {
        summary: "Choir and band",
        start: "2031-05-02T18:00:00Z",
        end: "2031-05-02T21:00:00Z",
        location: "The hall",
      });
      const expected = sayEvent(changed as EventRecord);
      assert.match(expected, /^Choir and band, .*The hall$/);
      for (const who of [ann, ...viewers])
        await eventually(async () => {
          assert.equal(sayEvent(await eventOf(who, post)), expected, who.name);
        });
      for (const { api } of aspect ? strangers(town) : [])
        assert.equal((await api.call("GET", `/posts/${post}`)).status, 404);
      // Invited, if it is limited, and notified of the change.
      for (const who of aspect ? [bob, cid] : [bob]) {
        const { Guid: theirs } = await eventOf(who, post);
        town.changed.add(theirs);
        await eventually(async () => {
          const notifications = (await listNotifications(who)).filter((one) =>
            one.endsWith(theirs),
          );
          const times = aspect ? 2 : 1;
          assert.deepEqual(
            notifications,
            Array(times).fill(`ann: Event ${theirs}`),
          );
        });
      }
      // Accepted answers stay.
      const { answers } = (await viewPost(ann, post)) as PostView;
      assert.deepEqual(answers, { bob: "accepted" });
    }
  },
};

export const confirmedGuests: Step = {
  name: "a guest whom the organiser confirms is seen everywhere, and not before",
  walk: async (town) => {
    const { ann, bob, cid } = town;
    // From the beginning: a change that arrives after Bob's answer would notify him as well.
    const event = await ann.invite("Dinner", undefined, { approval: "true" });
    const path = `/calendar/events/${event.Guid}`;
    const [newest] = await ann.api.getList("/posts?limit=1");
    const post = String(newest?.["Guid"]);
    for (const who of [bob, cid]) await eventually(() => eventOf(who, post));
    const answersSeenBy = async (who: Resident) =>
      ((await viewPost(who, post)) as PostView).answers;
    await bob.answer(await eventOf(bob, post), "accepted");
    const asking = `${path}/participations?reply=pending`;
    const guest = await eventually(async () => {
      const [first, ...others] = await ann.api.getList(asking);
      assert.deepEqual(others, []);
      return first ?? assert.fail("nobody asks yet");
    });
    // What Bob says afterwards has arrived; that he wants to come has not.
    const comment = await bob.comment(post, "May I?");
    await eventually(() => cid.api.getRecord(`/comments/${comment}`));
    assert.deepEqual(await answersSeenBy(cid), {});
    const reply = { reply: "confirmed" };
    await ann.api.put(`${path}/participations/${String(guest["ID"])}`, reply);
    for (const who of [ann, bob, cid])
      await eventually(async () => {
        assert.deepEqual(await answersSeenBy(who), { bob: "accepted" });
      });
    assert.deepEqual(await ann.api.getList(asking), []);
  },
};
