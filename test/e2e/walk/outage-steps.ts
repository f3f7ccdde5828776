import assert from "node:assert/strict";
import { eventually } from "../../support/kith-process.ts";
import {
  agree,
  agreeAcross,
  askedElsewhere,
  eventOf,
  isNotified,
  vanishes,
  viewPost,
} from "./look.ts";
import { settleAnn, type Step } from "./town.ts";

export const receiverAway: Step = {
  name: "a server that was down gets everything, in order and once",
  walk: async (town) => {
    const { ann, bob, cid, cat, three, friends } = town;
    const everybody = [ann, bob, cid, cat];
    const old = await ann.publish("Soon taken back");
    const open = await ann.publish("Said while you were here");
    const expected = { by: "ann", text: "Said while you were here" };
    await agree(everybody, open, expected);
    await bob.comment(open, "First");
    const regretted = await bob.comment(open, "Regretted");
    const regrettedLike = await bob.like(open);
    await ann.invite("Later");
    const [newest] = await ann.api.getList("/posts?limit=1");
    const meeting = String(newest?.["Guid"]);
    for (const who of everybody) await eventually(() => eventOf(who, meeting));
    await agree(everybody, open, {
      ...expected,
      comments: ["bob: First", "bob: Regretted"],
      likes: ["bob"],
    });
    await agree([cid], old, { by: "ann", text: "Soon taken back" });
    await settleAnn(town);

    assert.equal(await three.stop(), 0, three.output);
    await ann.removePost(old);
    await bob.removeComment(regretted);
    await bob.removeLike(regrettedLike);
    await bob.comment(open, "Second");
    const passing = await ann.publish("Never seen by Cid");
    const question = "Are you there?";
    const asked = { question, answers: ["yes", "no"] };
    const poll = await ann.publish("Asked", { ...asked, aspect: friends });
    const hello = `Missed, @{${cid.handle}}`;
    const missed = await ann.publish(hello);
    await agree([bob], missed, { by: "ann", text: hello });
    await bob.comment(missed, "Missed, too");
    await bob.like(missed, false);
    await eventually(() => bob.api.getRecord(`/posts/${poll}`));
    await bob.vote(poll, "yes");
    await bob.answer(await eventOf(bob, meeting), "accepted");
    await bob.answer(await eventOf(bob, meeting), "tentative");
    await ann.removePost(passing);
    await ann.api.put("/profile", { FirstName: "Annabel" });
    await vanishes([bob], passing);
    // Everything has reached Ann's server, which relays it.
    const listed = { ...expected, comments: ["bob: First", "bob: Second"] };
    await agree([ann, bob], open, listed);

    await three.start();
    await agree(everybody, open, listed);
    await agree(everybody, missed, {
      by: "ann",
      text: hello,
      comments: ["bob: Missed, too"],
      dislikes: ["bob"],
    });
    const counted = { by: "ann", public: false, votes: { yes: 1, no: 0 } };
    await agreeAcross([ann, bob, cid], ann, poll, {
      here: { ...counted, text: "Asked", question },
      elsewhere: { ...counted, ...askedElsewhere(town, "Asked", question) },
    });
    await vanishes([cid, cat], old);
    // It may be there until its retraction comes.
    await vanishes([cid], passing);
    await isNotified(cid, missed, ann);
    await eventually(async () => {
      const { Participations } = await eventOf(cid, meeting);
      const [only, ...others] = Participations as { Status: string }[];
      assert.deepEqual([only?.Status, others], ["tentative", []]);
      const { Profile } = await cid.find(ann);
      assert.equal(Profile.FirstName, "Annabel");
    });
    // In the original order.
    const inOrder = (await cid.api.getList(`/posts/${open}/comments`)).map(
      ({ Text }) => Text,
    );
    assert.deepEqual(inOrder, ["First", "Second"]);
    await settleAnn(town);
    assert.equal(await viewPost(cid, passing), "hidden");
  },
};

export const relayerAway: Step = {
  name: "replies to a post whose server was down are relayed once it is back",
  walk: async (town) => {
    const { ann, bob, cid, cat, one, friends } = town;
    const open = await ann.publish("Talk among yourselves");
    const closed = await ann.publish("You as well", { aspect: friends });
    const openly = { by: "ann", text: "Talk among yourselves" };
    const closely = { by: "ann", text: "You as well", public: false };
    await agree([bob, cid, cat], open, openly);
    await agree([bob, cid], closed, closely);
    const regretted = await cid.comment(open, "Too early");
    await agree([ann, bob, cat], open, {
      ...openly,
      comments: ["cid: Too early"],
    });

    // Without any warning, too.
    await one.kill();
    const aspect = await bob.gather("for Ann", [ann]);
    const fromBob = await bob.publish("For Ann alone", { aspect });
    const short = await cid.comment(open, "Said and taken back");
    await cid.removeComment(short);
    await cid.removeComment(regretted);
    for (const [who, name] of [
      [bob, "Bob"],
      [cid, "Cid"],
    ] as const) {
      await who.comment(open, `${name} was here`);
      await who.comment(closed, `${name} as well`);
      await who.like(closed);
    }
    const own = await viewPost(cid, open);
    assert.notEqual(own, "hidden");

    await one.start();
    const comments = ["bob: Bob was here", "cid: Cid was here"];
    await agree([ann, bob, cid, cat], open, { ...openly, comments });
    await agree([ann, bob, cid], closed, {
      ...closely,
      comments: ["bob: Bob as well", "cid: Cid as well"],
      likes: ["bob", "cid"],
    });
    await agree([ann], fromBob, {
      by: "bob",
      text: "For Ann alone",
      public: false,
    });
    await settleAnn(town);
    await agree([ann, bob, cid, cat], open, { ...openly, comments });
  },
};
