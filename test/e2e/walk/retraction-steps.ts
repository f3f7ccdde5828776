import assert from "node:assert/strict";
import type { EventRecord } from "../../../packages/server/test/support/server/wire.ts";
import { eventually } from "../../support/kith-process.ts";
import { agree, eventOf, listNotifications, vanishes } from "./look.ts";
import { strangers, type Step, type Servers } from "./town.ts";

/** A post of Ann's with every possible reaction of the others. */
async function discuss(town: Servers, aspect: string | undefined) {
  const { ann, bob, cid } = town;
  const text = "To be taken back";
  const post = await ann.publish(text, aspect ? { aspect } : {});
  const viewers = aspect
    ? [ann, bob, cid]
    : [ann, bob, cid, ...strangers(town)];
  const said = { by: "ann", text, public: !aspect };
  await agree(viewers, post, said);
  const bobSaid = await bob.comment(post, "By Bob");
  const cidSaid = await cid.comment(post, "By Cid");
  const like = await bob.like(post);
  const dislike = await cid.like(post, false);
  const comments = ["bob: By Bob", "cid: By Cid"];
  const marks = { likes: ["bob"], dislikes: ["cid"] };
  await agree(viewers, post, { ...said, comments, ...marks });
  return { post, said, viewers, bobSaid, cidSaid, like, dislike };
}

export const takeBackWords: readonly Step[] = [false, true].map(
  (isLimited) => ({
    name: `comments, likes and dislikes of a ${isLimited ? "limited" : "public"} post are retracted everywhere`,
    walk: async (town) => {
      const { ann, bob, cid, friends } = town;
      const { post, said, viewers, bobSaid, cidSaid, like, dislike } =
        await discuss(town, isLimited ? friends : undefined);
      const stolen = await cid.api.call("DELETE", `/comments/${bobSaid}`);
      assert.equal(stolen.status, 404, "nobody takes back what others said");
      await bob.removeComment(bobSaid);
      await bob.removeLike(like);
      await agree(viewers, post, {
        ...said,
        comments: ["cid: By Cid"],
        dislikes: ["cid"],
      });
      await cid.removeLike(dislike);
      // The author of a post may delete comments on it.
      await ann.removeComment(cidSaid);
      await agree(viewers, post, said);
      await eventually(async () => {
        const notifications = await listNotifications(ann);
        for (const guid of [bobSaid, cidSaid, like, dislike])
          assert.ok(
            !notifications.some((one) => one.endsWith(guid)),
            notifications.join(),
          );
      });
    },
  }),
);

export const takeBackPosts: Step = {
  name: "a post is deleted everywhere, with all replies",
  walk: async (town) => {
    const { ann, friends } = town;
    for (const aspect of [undefined, friends]) {
      const { post, viewers, bobSaid } = await discuss(town, aspect);
      await ann.removePost(post);
      await vanishes(viewers, post);
      for (const { api } of viewers) {
        const { status } = await api.call("GET", `/comments/${bobSaid}`);
        assert.equal(status, 404);
      }
    }
  },
};

export const takeBackReshare: Step = {
  name: "a reshare is deleted alone; without its root it stays, empty",
  walk: async (town) => {
    const { ann, bob, cid } = town;
    const text = "Passed on, and back";
    const post = await ann.publish(text);
    await agree([bob, cid], post, { by: "ann", text });
    const bobs = await bob.reshare(post);
    const cids = await cid.reshare(post);
    for (const [by, guid] of [
      ["bob", bobs],
      ["cid", cids],
    ] as const)
      await agree([ann], guid, { by, text: "", passesOn: text });
    await bob.removePost(bobs);
    await vanishes([bob, ann], bobs);
    await agree([ann, bob, cid], post, { by: "ann", text });
    await ann.removePost(post);
    await vanishes([ann, bob, cid], post);
    for (const who of [ann, cid])
      await agree([who], cids, { by: "cid", text: "" });
  },
};

export const takeBackEvent: Step = {
  name: "an event is deleted everywhere with its announcement",
  walk: async (town) => {
    const { ann, bob, cid, friends } = town;
    for (const aspect of [undefined, friends]) {
      const event = await ann.invite("Called off", aspect);
      const [newest] = await ann.api.getList("/posts?limit=1");
      const post = String(newest?.["Guid"]);
      const paths = new Map([[ann, `/calendar/events/${event.Guid}`]]);
      for (const who of [bob, cid])
        await eventually(async () => {
          const { Guid } = await eventOf(who, post);
          paths.set(who, `/calendar/events/${Guid}`);
        });
      await bob.answer(await eventOf(bob, post), "accepted");
      for (const { api } of [ann, cid])
        await eventually(async () => {
          const { Event } = await api.getRecord(`/posts/${post}`);
          assert.equal((Event as EventRecord).Participations.length, 1);
        });
      await ann.api.delete(`/calendar/events/${event.Guid}`);
      await vanishes([ann, bob, cid], post);
      for (const [{ api }, path] of paths)
        await eventually(async () => {
          assert.equal((await api.call("GET", path)).status, 404);
        });
    }
  },
};

export const takeBackPhotoWithPost: Step = {
  name: "a photo is deleted everywhere with its post",
  walk: async ({ ann, bob, cid }) => {
    const photo = await ann.upload("Soon gone");
    const post = await ann.publish("A view", { photo });
    await agree([bob, cid], post, {
      by: "ann",
      text: "A view",
      photos: ["Soon gone"],
    });
    const ids: string[] = [];
    for (const { api } of [bob, cid]) {
      const { Photos } = await api.getRecord(`/posts/${post}`);
      ids.push(String((Photos as { ID: number }[])[0]?.ID));
    }
    await ann.removePost(post);
    for (const [index, { api }] of [bob, cid].entries())
      await eventually(async () => {
        const { status } = await api.call("GET", `/photos/${ids[index] ?? ""}`);
        assert.equal(status, 404);
      });
    await eventually(async () => {
      assert.equal((await fetch(photo.Url)).status, 404);
    });
  },
};

export const takeBackPhoto: Step = {
  name: "a photo is deleted everywhere, alone",
  walk: async (town) => {
    const { ann, bob, cid } = town;
    const first = await ann.upload("First");
    const second = await ann.upload("Second");
    const { Guid } = await ann.api.post("/posts", {
      post: "Two views",
      photoID: [String(first.ID), String(second.ID)],
    });
    const post = String(Guid);
    const said = { by: "ann", text: "Two views" };
    const all = [ann, bob, cid, ...strangers(town)];
    await agree(all, post, { ...said, photos: ["First", "Second"] });
    await ann.api.delete(`/photos/${first.Guid}`);
    await agree(all, post, { ...said, photos: ["Second"] });
    await ann.api.delete(`/photos/${second.Guid}`);
    await agree(all, post, said);
  },
};
