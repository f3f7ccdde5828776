import assert from "node:assert/strict";
import { eventually } from "../../support/kith-process.ts";
import {
  agree,
  agreeAcross,
  askedElsewhere,
  assertHidden,
  assertPublicPage,
  eventOf,
  listNotifications,
  sayEvent,
} from "./look.ts";
import { settleAnn, strangers, type Step, type Servers } from "./town.ts";
import type { Resident } from "../../support/resident.ts";

/** First, because all others build on it. */
export const shareBothWays: Step = {
  name: "people on three servers follow each other",
  walk: async (town) => {
    const { ann, bob, cid } = town;
    town.friends = await ann.gather("friends", [bob, cid]);
    town.family = await ann.gather("family", [bob]);
    for (const friend of [bob, cid]) await friend.gather("known", [ann]);
    const contactsOf = async (who: Resident): Promise<string[]> => {
      const notifications = await listNotifications(who);
      return notifications
        .map((one) => one.split(" ").slice(0, 2).join(" "))
        .toSorted();
    };
    await eventually(async () => {
      assert.deepEqual(await contactsOf(ann), ["bob: Contact", "cid: Contact"]);
      assert.deepEqual(await contactsOf(bob), ["ann: Contact"]);
      assert.deepEqual(await contactsOf(cid), ["ann: Contact"]);
    });
  },
};

export const publicPost: Step = {
  name: "a public post is visible to everyone on every server",
  walk: async (town) => {
    const { ann, bob, cid, servers } = town;
    const post = await ann.publish("For everybody");
    const all = [ann, bob, cid, ...strangers(town)];
    await agree(all, post, { by: "ann", text: "For everybody" });
    for (const server of servers)
      await assertPublicPage(server, post, "For everybody");
    for (const friend of [bob, cid]) {
      const listed = await friend.api.getList("/posts");
      const same = listed.filter(({ Guid }) => Guid === post);
      assert.equal(same.length, 1, friend.name);
    }
  },
};

export const limitedPost: Step = {
  name: "a limited post is visible to its recipients",
  walk: async (town) => {
    const { ann, bob, cid, friends, family, servers } = town;
    const forBoth = await ann.publish("For friends", { aspect: friends });
    const forBob = await ann.publish("For family", { aspect: family });
    const limited = { by: "ann", public: false };
    await agree([ann, bob, cid], forBoth, { ...limited, text: "For friends" });
    await agree([ann, bob], forBob, { ...limited, text: "For family" });
    await settleAnn(town);
    await assertHidden(forBoth, strangers(town), servers);
    await assertHidden(forBob, [cid, ...strangers(town)], servers);
  },
};

export const publicPhoto: Step = {
  name: "a public post includes its photo",
  walk: async (town) => {
    const { ann, bob, cid } = town;
    const photo = await ann.upload("A wall");
    const post = await ann.publish("Look", { photo });
    const all = [ann, bob, cid, ...strangers(town)];
    await agree(all, post, { by: "ann", text: "Look", photos: ["A wall"] });
    for (const { api } of all) {
      const { Photos } = await api.getRecord(`/posts/${post}`);
      const [seen] = Photos as { Url: string }[];
      assert.equal(seen?.Url, photo.Url);
    }
    assert.equal((await fetch(photo.Url)).status, 200);
  },
};

export const limitedPhoto: Step = {
  name: "a limited post includes its photo for its recipients",
  walk: async (town) => {
    const { ann, bob, cid, friends, one, servers } = town;
    const photo = await ann.upload("A secret", friends);
    const text = "Only for you";
    const post = await ann.publish(text, { photo, aspect: friends });
    const limited = { by: "ann", text, public: false, photos: ["A secret"] };
    await agree([ann, bob, cid], post, limited);
    const [own] = await ann.photosOf(post);
    assert.equal(own?.Url, photo.Url);
    for (const friend of [bob, cid])
      for (const { Url, ThumbnailUrl } of await friend.photosOf(post))
        for (const url of [Url, ThumbnailUrl]) {
          assert.ok(url.startsWith(`${one.baseUrl}/uploads/`), url);
          assert.equal((await fetch(url)).status, 200, url);
          const guess = url.replace(/[^/]+(?=\/[^/]+$)/, "A".repeat(32));
          assert.equal((await fetch(guess)).status, 404, guess);
        }
    await assertHidden(post, strangers(town), servers);
    assert.equal((await fetch(photo.Url)).status, 404);
  },
};

export const publicPoll: Step = {
  name: "a public poll has the same counts everywhere",
  walk: async (town) => {
    const { ann, bob, cid } = town;
    await vote(town, [ann, bob, cid, ...strangers(town)], undefined);
  },
};

export const limitedPoll: Step = {
  name: "a limited poll has the same counts for all its readers",
  walk: async (town) => {
    const { ann, bob, cid, friends, servers } = town;
    const post = await vote(town, [ann, bob, cid], friends);
    await assertHidden(post, strangers(town), servers);
  },
};

/** Bob, Cid and Ann vote, remote votes go through Ann's server. */
async function vote(
  town: Servers,
  viewers: readonly Resident[],
  aspect: string | undefined,
): Promise<string> {
  const { ann, bob, cid } = town;
  const question = "Which colour?";
  const post = await ann.publish("Choose", {
    question,
    answers: ["red", "blue"],
    ...(aspect ? { aspect } : {}),
  });
  const here = { by: "ann", text: "Choose", public: !aspect, question };
  const theirs = { ...here, ...askedElsewhere(town, "Choose", question) };
  const agreeOn = (votes: Record<string, number>) =>
    agreeAcross(viewers, ann, post, {
      here: { ...here, votes },
      elsewhere: { ...theirs, votes },
    });
  await agreeOn({ red: 0, blue: 0 });
  await bob.vote(post, "red");
  await cid.vote(post, "red");
  await ann.vote(post, "blue");
  await agreeOn({ red: 2, blue: 1 });
  await assert.rejects(bob.vote(post, "blue"), "a vote is final");
  return post;
}

export const everythingInOne: Step = {
  name: "one post has a photo, a poll and an event",
  walk: async (town) => {
    const { protocol, ann, bob, cid } = town;
    const event = await ann.invite("Fair");
    const photo = await ann.upload("A poster");
    const text = "Come, all of you";
    const poll = { question: "With cake?", answers: ["yes", "no"] };
    const post = await ann.publish(text, { event: event.ID, photo, ...poll });
    const whole = { by: "ann", text, photos: ["A poster"] };
    const asked = { question: "With cake?", event: sayEvent(event) };
    const here = { ...whole, ...asked, votes: { yes: 0, no: 0 } };
    // Over ActivityPub it is an Event, with the poll in its text.
    const asText = {
      ...{ ...whole, event: sayEvent(event) },
      text: `${text}\n\n**With cake?**\n\n- yes\n- no`,
    };
    const isWhole = protocol === "diaspora";
    const elsewhere = isWhole ? here : asText;
    const all = [ann, bob, cid, ...strangers(town)];
    await agreeAcross(all, ann, post, { here, elsewhere });
    await (isWhole ? cid : ann).vote(post, "yes");
    await bob.answer(await eventOf(bob, post), "accepted");
    const answers = { bob: "accepted" };
    const counted = { ...here, votes: { yes: 1, no: 0 }, answers };
    await agreeAcross(all, ann, post, {
      here: counted,
      elsewhere: isWhole ? counted : { ...elsewhere, answers },
    });
  },
};
