import assert from "node:assert/strict";
import { eventually } from "../../support/kith-process.ts";
import type { Json } from "../../support/api-client.ts";
import type { Resident } from "../../support/resident.ts";
import {
  agree,
  assertHidden,
  assertPublicPage,
  isNotified,
  viewPost,
} from "./look.ts";
import { settleAnn, strangers, type Step } from "./town.ts";

/** The audience that its author is shown. */
async function audienceOf(author: Resident, post: string): Promise<unknown> {
  const { Audience } = await author.api.getRecord(`/posts/${post}`);
  return Audience;
}

async function reachOf(
  author: Resident,
  to: Readonly<Record<string, string | readonly string[]>>,
): Promise<{ people: string[]; hosts: number; notKept: unknown[] }> {
  const preview = await author.api.post("/audience", to);
  const people = preview["People"] as { Author: string }[];
  return {
    people: people.map(({ Author }) => Author.split("@")[0] ?? "").toSorted(),
    hosts: Number(preview["HostsCount"]),
    notKept: (preview["NotKept"] as Json[]).map(({ Kind }) => Kind),
  };
}

export const followersOnly: Step = {
  name: "a post to followers is visible to those who follow its author, and so is its thread",
  walk: async (town) => {
    const { ann, bob, cid, cat, abe, bea, servers } = town;
    const known = await cat.gather("known", [ann]);
    await isNotified(ann, (await ann.find(cat)).Guid, cat);
    const to = { audience: "followers" };
    const { people } = await reachOf(ann, to);
    assert.deepEqual(people, ["bob", "cat", "cid"]);
    const post = await ann.publish("For followers", { to });
    const seen = { by: "ann", text: "For followers", public: false };
    await agree([ann, bob, cid, cat], post, seen);
    await bob.comment(post, "So I am one");
    const comments = ["bob: So I am one"];
    await agree([ann, bob, cid, cat], post, { ...seen, comments });
    await settleAnn(town);
    await assertHidden(post, [abe, bea], servers);
    const expected = { Kind: "followers", Names: [] };
    assert.deepEqual(await audienceOf(ann, post), expected);
    await cat.drop(ann, known);
    await ann.removePost(post);
    for (const reader of [bob, cid, cat])
      await eventually(async () =>
        assert.equal(await viewPost(reader, post), "hidden"),
      );
  },
};

export const severalAspects: Step = {
  name: "a post to several aspects, or to all, is visible to their members",
  walk: async (town) => {
    const { ann, bob, cid, friends, family, servers } = town;
    const several = { aspectID: [family, friends] };
    const all = { audience: "all_aspects" };
    for (const [text, to] of [
      ["For friends and family", several],
      ["For all of you", all],
    ] as const) {
      const { people, hosts } = await reachOf(ann, to);
      assert.deepEqual([people, hosts], [["bob", "cid"], 2]);
      const post = await ann.publish(text, { to });
      await agree([ann, bob, cid], post, { by: "ann", text, public: false });
      await settleAnn(town);
      await assertHidden(post, strangers(town), servers);
    }
  },
};

export const namedPeople: Step = {
  name: "a post to named people is visible to them, on whichever server",
  walk: async (town) => {
    const { ann, bob, cid, cat, abe, bea, servers } = town;
    await ann.find(bea);
    const to = { person: [bea.handle, abe.handle, cid.handle] };
    const text = "For three";
    assert.deepEqual((await reachOf(ann, to)).people, ["abe", "bea", "cid"]);
    const post = await ann.publish(text, { to });
    await agree([ann, abe, bea, cid], post, { by: "ann", text, public: false });
    await settleAnn(town);
    await assertHidden(post, [bob, cat], servers);
  },
};

export const oneself: Step = {
  name: "a post to oneself leaves no server",
  walk: async (town) => {
    const { ann, bob, cid, servers } = town;
    const to = { audience: "self" };
    const { people, notKept } = await reachOf(ann, to);
    assert.deepEqual([people, notKept], [[], []]);
    const text = `Remember to ask ${bob.name}`;
    const post = await ann.publish(text, { to });
    await agree([ann], post, { by: "ann", text, public: false });
    await settleAnn(town);
    await assertHidden(post, [bob, cid, ...strangers(town)], servers);
  },
};

export const unlisted: Step = {
  name: "an unlisted post is visible to everyone, and in no public list where the protocol can say so",
  walk: async (town) => {
    const { protocol, ann, bob, cid, abe, bea, servers } = town;
    const to = { audience: "unlisted" };
    const { notKept } = await reachOf(ann, to);
    const isKept = protocol === "activitypub";
    assert.deepEqual(notKept, isKept ? [] : ["listed"]);
    const text = "Not for the market place";
    const post = await ann.publish(text, { to });
    const all = [ann, bob, cid, ...strangers(town)];
    await agree(all, post, { by: "ann", text });
    for (const server of servers) await assertPublicPage(server, post, text);
    const isListed = async ({ api }: Resident) => {
      const listed = await api.getList("/posts?visibility=1&limit=100");
      return listed.some(({ Guid }) => Guid === post);
    };
    assert.equal(await isListed(abe), false);
    assert.equal(await isListed(bea), !isKept);
  },
};
