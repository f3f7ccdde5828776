import assert from "node:assert/strict";
import { eventually } from "../../support/kith-process.ts";
import { Resident } from "../../support/resident.ts";
import { agree, assertHidden, isNotified } from "./look.ts";
import { settleAnn, type Step } from "./town.ts";

/** The old server announces the move; the new one has agreed. See docs/moving.md. */
async function move(from: Resident, to: Resident): Promise<void> {
  const password = "correct horse";
  const path = "/users/self/move";
  const signed = await to.api.post(`${path}/signature`, {
    handle: from.handle,
    direction: "here",
    password,
  });
  assert.equal(signed["OldHandle"], from.handle);
  assert.equal(signed["NewHandle"], to.handle);
  await from.api.post(`${path}/away`, {
    handle: to.handle,
    password,
    signature: String(signed["Signature"]),
  });
}

export const moveAway: Step = {
  name: "a moved account's content belongs to the new one, on every server",
  walk: async (town) => {
    const { ann, abe, bea, cid, cat, two, three, servers } = town;
    const gil = await Resident.settle(two, "gil");
    const gila = await Resident.settle(three, "gila");
    const own = await gil.gather("one", [ann]);
    const aspect = await ann.gather("travellers", [gil]);
    await isNotified(gil, (await gil.find(ann)).Guid, ann);
    const asked = await ann.publish("Who travels?");
    const given = await ann.publish("Only for Gil", { aspect });
    const open = await gil.publish("I am off");
    const closed = await gil.publish("Water my plants", { aspect: own });
    const toOne = { text: "Water my plants", public: false };
    const question = { by: "ann", text: "Who travels?" };
    const giving = { by: "ann", text: "Only for Gil", public: false };
    await agree([gil, bea, cid, cat], asked, question);
    await agree([ann, bea], open, { by: "gil", text: "I am off" });
    await agree([ann], closed, { by: "gil", ...toOne });
    await agree([gil], given, giving);
    await gil.comment(asked, "I do");
    await gil.like(asked);
    await gil.comment(given, "Thank you");
    await ann.comment(closed, "Gladly");
    const answered = { comments: ["gil: I do"], likes: ["gil"] };
    await agree([ann, bea, cid, cat], asked, { ...question, ...answered });
    await agree([ann], given, { ...giving, comments: ["gil: Thank you"] });
    await agree([gil], closed, {
      by: "gil",
      ...toOne,
      comments: ["ann: Gladly"],
    });

    await move(gil, gila);
    const moved = { comments: ["gila: I do"], likes: ["gila"] };
    await agree([ann, abe, bea, cid, cat, gila], asked, {
      ...question,
      ...moved,
    });
    await agree([ann, abe, bea], open, { by: "gila", text: "I am off" });
    await agree([ann], closed, {
      by: "gila",
      ...toOne,
      comments: ["ann: Gladly"],
    });
    await agree([ann], given, { ...giving, comments: ["gila: Thank you"] });

    // The old one is closed, on its own server and on the others.
    assert.equal((await gil.api.call("GET", "/posts")).status, 401);
    for (const { api } of [ann, bea, cid])
      await eventually(async () => {
        const handle = gil.handle;
        const found = await api.call("POST", "/search", { handle });
        assert.equal(found.status, 404);
      });

    // Ann's contact is the new one, in the same aspect.
    const after = await ann.publish("Only for Gila", { aspect });
    const toGila = { by: "ann", text: "Only for Gila", public: false };
    await agree([ann, gila], after, toGila);
    await gila.comment(after, "Found me");
    await agree([ann, gila], after, {
      ...toGila,
      comments: ["gila: Found me"],
    });
    const arrived = await gila.publish("I have arrived");
    await agree([ann], arrived, { by: "gila", text: "I have arrived" });

    await settleAnn(town);
    const others = [abe, bea, cid, cat];
    for (const hidden of [given, closed, after])
      await assertHidden(hidden, others, servers);
    await ann.drop(gila, aspect);
  },
};

export const leadFollowersOn: Step = {
  name: "a move without a signature redirects the followers, and ends posting",
  walk: async (town) => {
    const { ann, abe, bea, cid, cat, two, three, servers } = town;
    const gil = await Resident.settle(two, "gus");
    const gila = await Resident.settle(three, "gusta");
    const aspect = await ann.gather("wanderers", [gil]);
    await isNotified(gil, (await gil.find(ann)).Guid, ann);
    const given = await ann.publish("Only for Gus", { aspect });
    const open = await gil.publish("I go on");
    const giving = { by: "ann", text: "Only for Gus", public: false };
    await agree([gil], given, giving);
    await agree([ann], open, { by: "gus", text: "I go on" });

    const away = () =>
      gil.api.call("POST", "/users/self/move/away", {
        handle: gila.handle,
        password: "correct horse",
      });
    // Without the new account's consent no one moves to it.
    assert.equal((await away()).status, 400);
    const aliases = { aliases: gil.handle };
    await gila.api.put("/users/self/aliases", aliases);
    assert.equal((await away()).status, 200);

    // Ann's contact is the new one, in the same aspect.
    await isNotified(gila, (await gila.find(ann)).Guid, ann);
    const after = await ann.publish("Only for Gusta", { aspect });
    const toNew = { by: "ann", text: "Only for Gusta", public: false };
    await agree([ann, gila], after, toNew);
    await gila.comment(after, "Found me");
    await agree([ann], after, { ...toNew, comments: ["gusta: Found me"] });
    const arrived = await gila.publish("I have arrived");
    await agree([ann], arrived, { by: "gusta", text: "I have arrived" });

    // Old posts stay, and no new ones are accepted.
    await agree([ann, bea], open, { by: "gus", text: "I go on" });
    const more = await gil.api.call("POST", "/posts", { post: "And more" });
    assert.equal(more.status, 400);
    await settleAnn(town);
    const others = [abe, bea, cid, cat];
    await assertHidden(given, [...others, gila], servers);
    await assertHidden(after, [...others, gil], servers);
    await ann.drop(gila, aspect);
  },
};
