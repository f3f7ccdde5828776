import assert from "node:assert/strict";
import { eventually } from "../../support/kith-process.ts";
import { Resident } from "../../support/resident.ts";
import { agree, assertHidden, isNotified, viewPost } from "./look.ts";
import { settleAnn, strangers, type Step, type Servers } from "./town.ts";

/** The readers of a post of Ann's: everyone, or her friends. */
const AUDIENCES = ["public", "limited"] as const;

type Audience = (typeof AUDIENCES)[number];

function viewersOf(town: Servers, audience: Audience): Resident[] {
  const { ann, bob, cid } = town;
  const friends = [ann, bob, cid];
  return audience === "public" ? [...friends, ...strangers(town)] : friends;
}

function publishFor(
  { ann, friends }: Servers,
  audience: Audience,
  text: string,
): Promise<string> {
  return ann.publish(text, audience === "public" ? {} : { aspect: friends });
}

/** Bob and Cid are not contacts of each other: Ann's server relays. */
export const comments: readonly Step[] = AUDIENCES.map((audience) => ({
  name: `comments on a ${audience} post of Ann's reach the third server`,
  walk: async (town) => {
    const { ann, bob, cid, servers } = town;
    const post = await publishFor(town, audience, "What do you say?");
    const said = {
      by: "ann",
      text: "What do you say?",
      public: audience === "public",
    };
    const viewers = viewersOf(town, audience);
    await agree(viewers, post, said);
    const first = await bob.comment(post, "Bob says yes");
    await cid.comment(post, "Cid says no");
    await ann.comment(post, "Ann says perhaps");
    const all = [
      "ann: Ann says perhaps",
      "bob: Bob says yes",
      "cid: Cid says no",
    ];
    await agree(viewers, post, { ...said, comments: all });
    await isNotified(ann, first, bob);
    if (audience === "public") return;
    await assertHidden(post, strangers(town), servers);
    for (const { api } of strangers(town))
      assert.equal((await api.call("GET", `/comments/${first}`)).status, 404);
  },
}));

export const likes: readonly Step[] = AUDIENCES.map((audience) => ({
  name: `likes and dislikes of a ${audience} post of Ann's reach the third server`,
  walk: async (town) => {
    const { ann, bob, cid, servers } = town;
    const post = await publishFor(town, audience, "Do you like it?");
    const said = {
      by: "ann",
      text: "Do you like it?",
      public: audience === "public",
    };
    const viewers = viewersOf(town, audience);
    await agree(viewers, post, said);
    const like = await bob.like(post);
    await cid.like(post, false);
    await agree(viewers, post, { ...said, likes: ["bob"], dislikes: ["cid"] });
    await isNotified(ann, like, bob);
    await cid.like(post);
    await agree(viewers, post, { ...said, likes: ["bob", "cid"] });
    if (audience === "limited")
      await assertHidden(post, strangers(town), servers);
  },
}));

export const commentLikes: readonly Step[] = AUDIENCES.map((audience) => ({
  name: `likes of a comment on a ${audience} post of Ann's reach the third server`,
  walk: async (town) => {
    const { bob, cid } = town;
    const post = await publishFor(town, audience, "Say something");
    const said = {
      by: "ann",
      text: "Say something",
      public: audience === "public",
    };
    const viewers = viewersOf(town, audience);
    await agree(viewers, post, said);
    const comment = await bob.comment(post, "Something");
    await agree(viewers, post, { ...said, comments: ["bob: Something"] });
    const path = `/comments/${comment}/likes`;
    await cid.api.post(`${path}/true`);
    await agree(viewers, post, { ...said, comments: ["bob: Something (+1)"] });
    await cid.api.delete(path);
    await agree(viewers, post, { ...said, comments: ["bob: Something"] });
  },
}));

export const strangersTalk: Step = {
  name: "an unknown person's reply to a public post is relayed as well",
  walk: async (town) => {
    const { ann, cat } = town;
    const post = await ann.publish("Strangers welcome");
    const said = { by: "ann", text: "Strangers welcome" };
    const viewers = viewersOf(town, "public");
    await agree(viewers, post, said);
    await cat.comment(post, "Nice to meet you");
    await cat.like(post);
    await agree(viewers, post, {
      ...said,
      comments: ["cat: Nice to meet you"],
      likes: ["cat"],
    });
  },
};

export const localPeopleTalk: Step = {
  name: "replies on Ann's own server to her limited post reach the others",
  walk: async (town) => {
    const { ann, abe, bob, cid, one } = town;
    const aspect = await ann.gather("neighbours", [abe, bob]);
    await isNotified(abe, (await abe.find(ann)).Guid, ann);
    const post = await ann.publish("Over the fence", { aspect });
    const said = { by: "ann", text: "Over the fence", public: false };
    const viewers = [ann, abe, bob];
    await agree(viewers, post, said);
    const first = await bob.comment(post, "Who is there?");
    await agree(viewers, post, { ...said, comments: ["bob: Who is there?"] });
    await abe.comment(post, "Abe");
    const like = await abe.like(post);
    await abe.api.post(`/comments/${first}/likes/true`);
    const comments = ["abe: Abe", "bob: Who is there? (+1)"];
    await agree(viewers, post, { ...said, comments, likes: ["abe"] });
    await abe.removeLike(like);
    await agree(viewers, post, { ...said, comments });
    await assertHidden(post, [cid], [one]);
    await ann.drop(abe, aspect);
    await ann.drop(bob, aspect);
  },
};

export const reshare: Step = {
  name: "a reshare is visible to followers of the resharing person",
  walk: async (town) => {
    const { ann, bob, cid, cat } = town;
    const post = await ann.publish("Pass it on");
    await agree([bob, cid], post, { by: "ann", text: "Pass it on" });
    const aspect = await bob.gather("listeners", [cat]);
    await isNotified(cat, (await cat.find(bob)).Guid, bob);
    const followed = await cat.gather("heard", [bob]);
    await isNotified(bob, (await bob.find(cat)).Guid, cat);
    const again = await bob.reshare(post);
    const passed = { by: "bob", text: "", passesOn: "Pass it on" };
    await agree([ann, bob, cid, cat], again, passed);
    await isNotified(ann, again, bob);
    const counted = await ann.api.getRecord(`/posts/${post}`);
    assert.equal(counted["ResharesCount"], 1);
    const limited = await ann.publish("Keep it", { aspect: town.friends });
    await agree([bob], limited, { by: "ann", text: "Keep it", public: false });
    const refused = await bob.api.call("POST", `/posts/${limited}/reshare`);
    assert.equal(refused.status, 400);
    await bob.drop(cat, aspect);
    await cat.drop(bob, followed);
  },
};

export const reshareBringsRoot: Step = {
  name: "a reshare brings its post to a server that did not have it",
  walk: async (town) => {
    const { one, bob, cat, three } = town;
    const eve = await Resident.settle(one, "eve");
    await eve.gather("readers", [bob]);
    const post = await eve.publish("Read by Bob alone");
    await agree([bob], post, { by: "eve", text: "Read by Bob alone" });
    await assertHidden(post, [cat], [three]);
    const aspect = await bob.gather("hearers", [cat]);
    const followed = await cat.gather("heard", [bob]);
    await isNotified(bob, (await bob.find(cat)).Guid, cat);
    const again = await bob.reshare(post);
    await agree([cat], again, {
      by: "bob",
      text: "",
      passesOn: "Read by Bob alone",
    });
    await agree([cat], post, { by: "eve", text: "Read by Bob alone" });
    // A reader who found it through the reshare can reply, and the reply is relayed.
    await cat.comment(post, "I read it, too");
    await agree([eve, bob, cat], post, {
      by: "eve",
      text: "Read by Bob alone",
      comments: ["cat: I read it, too"],
    });
    await bob.drop(cat, aspect);
    await cat.drop(bob, followed);
  },
};

export const mentions: Step = {
  name: "mentioned people are notified, on every server",
  walk: async (town) => {
    const { ann, bob, cid, bea } = town;
    const text = `Hello @{${bea.handle}} and @{Cid; ${cid.handle}}`;
    await ann.find(bea);
    const post = await ann.publish(text);
    await agree([ann, bob, cid, bea], post, { by: "ann", text });
    await isNotified(bea, post, ann);
    await isNotified(cid, post, ann);
    await cid.find(bea);
    const comment = await cid.comment(post, `And @{${bea.handle}}?`);
    await isNotified(bea, comment, cid);
  },
};

export const tags: Step = {
  name: "posts are found by their tags on every server",
  walk: async (town) => {
    const { ann, bob, cid, friends } = town;
    await cid.api.post("/tags/orchard");
    const open = await ann.publish("Apples from the #Orchard");
    const closed = await ann.publish("The key to the #orchard", {
      aspect: friends,
    });
    const tagged = async ({ api }: Resident, path: string) => {
      const posts = await api.getList(path);
      return posts.map(({ Guid }) => String(Guid)).toSorted();
    };
    const both = [open, closed].toSorted();
    for (const who of [ann, bob, cid])
      await eventually(async () =>
        assert.deepEqual(await tagged(who, "/tags/orchard/posts"), both),
      );
    assert.deepEqual(await tagged(cid, "/tags/posts"), both);
    await settleAnn(town);
    for (const who of strangers(town))
      assert.deepEqual(await tagged(who, "/tags/orchard/posts"), [open]);
  },
};

/** Replies to a limited post cannot be read by fetching its thread. */
export const sayNothingElsewhere: Step = {
  name: "no one can reply to a post they did not receive",
  walk: async (town) => {
    const { ann, bob, family, cid } = town;
    const post = await ann.publish("Between us", { aspect: family });
    const said = { by: "ann", text: "Between us", public: false };
    await agree([ann, bob], post, said);
    for (const who of [cid, ...strangers(town)]) {
      assert.equal(await viewPost(who, post), "hidden");
      const path = `/posts/${post}`;
      const calls = [
        who.api.call("POST", `${path}/comments`, { comment: "Me, too" }),
        who.api.call("POST", `${path}/likes/true`),
        who.api.call("POST", `${path}/reshare`),
      ];
      for (const { status } of await Promise.all(calls))
        assert.equal(status, 404, who.name);
    }
    await agree([ann, bob], post, said);
  },
};
