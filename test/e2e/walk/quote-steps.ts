import assert from "node:assert/strict";
import { eventually } from "../../support/kith-process.ts";
import type { Resident } from "../../support/resident.ts";
import { agree, isNotified, viewPost } from "./look.ts";
import { settleAnn, type Step, type Servers } from "./town.ts";

const WITHIN_MS = 40_000;

/** How a post shows its quote, such as `accepted: wise words`; a revoked one has no words. */
async function quoteOf(who: Resident, post: string): Promise<string> {
  const { Quote } = await who.api.getRecord(`/posts/${post}`);
  if (Quote === undefined) return "a link";
  const { State, Text } = Quote as { State: string; Text?: string };
  return Text === undefined ? State : `${State}: ${Text}`;
}

/** Waits until each of them sees this of a quote. */
async function agreeOnQuote(
  readers: readonly Resident[],
  post: string,
  expected: string,
): Promise<void> {
  for (const who of readers)
    await eventually(async () => {
      const seen = await viewPost(who, post);
      assert.notEqual(seen, "hidden", who.name);
      assert.equal(
        await quoteOf(who, post),
        expected,
        `as ${who.name} sees it`,
      );
    }, WITHIN_MS);
}

/** Waits until this person sees the text with a link in place of the quote. */
async function isLink(who: Resident, post: string, text: string) {
  await eventually(async () => {
    const { Text } = await who.api.getRecord(`/posts/${post}`);
    const [words, link] = String(Text).split("\n\n");
    assert.equal(words, text, `as ${who.name} sees it`);
    assert.match(String(link), /^RE: .*https?:/);
    assert.equal(await quoteOf(who, post), "a link");
  }, WITHIN_MS);
}

/** @returns the id of a post on this person's server, once it is there */
async function idOf(who: Resident, guid: string): Promise<string> {
  let id: unknown;
  await eventually(async () => {
    ({ ID: id } = await who.api.getRecord(`/posts/${guid}`));
  }, WITHIN_MS);
  return String(id);
}

async function quote(
  who: Resident,
  quoted: string,
  text: string,
): Promise<string> {
  return who.publish(text, { to: { quoteID: await idOf(who, quoted) } });
}

/** Three posts in a row of people on three servers: Ann's is quoted by Cid, whom Bea reads. */
async function meet({ ann, bea, cid }: Servers) {
  const post = await ann.publish("Wise words");
  const aspect = await cid.gather("hearers", [bea]);
  const read = await bea.gather("read", [cid]);
  await isNotified(cid, (await cid.find(bea)).Guid, bea);
  const part = async () => {
    await cid.drop(bea, aspect);
    await bea.drop(cid, read);
  };
  return { post, part };
}

export const quoteAllowedThenRevoked: Step = {
  name: "a quote is shown on three servers once its author allows it, and on none after a revocation",
  walk: async (town) => {
    const { protocol, ann, bob, bea, cid } = town;
    const { post, part } = await meet(town);
    const quoting = await quote(cid, post, "Look at this");
    const readers = [ann, bea, cid];
    if (protocol === "diaspora") {
      // No one is asked: other servers get a link, and the own one shows the post.
      await agreeOnQuote([cid], quoting, "accepted: Wise words");
      for (const who of [ann, bea]) await isLink(who, quoting, "Look at this");
      const path = `/posts/${await idOf(ann, post)}/quotes/`;
      const { status } = await ann.api.call(
        "DELETE",
        path + (await idOf(ann, quoting)),
      );
      assert.equal(status, 404, "there is no quote to revoke");
      await part();
      return;
    }
    await agreeOnQuote(readers, quoting, "accepted: Wise words");
    await isNotified(ann, quoting, cid);
    const path = `/posts/${post}/quotes/${quoting}`;
    for (const other of [bob, cid]) {
      const { status } = await other.api.call("DELETE", path);
      assert.equal(status, 404, "only the quoted author revokes");
    }
    await ann.api.delete(path);
    // Its own server says that it was revoked; what it sends is a link from then on.
    const isOver = async (text: string) => {
      await agreeOnQuote([cid], quoting, "revoked");
      for (const who of [ann, bea]) await isLink(who, quoting, text);
    };
    await isOver("Look at this");
    await cid.api.put(`/posts/${quoting}`, { post: "Look at it again" });
    await isOver("Look at it again");
    // That was one quote: the policy of the post is unchanged.
    const next = await quote(cid, post, "Once more");
    await agreeOnQuote(readers, next, "accepted: Wise words");
    await isOver("Look at it again");
    await part();
  },
};

export const quoteRefused: Step = {
  name: "a quote is refused to people whom the policy of the post does not name",
  walk: async (town) => {
    const { protocol, ann, abe, bob, cat } = town;
    const closed = await ann.publish("Not to quote", {
      to: { quotable_by: "nobody" },
    });
    const half = await ann.publish("For followers to quote", {
      to: { quotable_by: "followers" },
    });
    for (const [post, text] of [
      [closed, "Not to quote"],
      [half, "For followers to quote"],
    ] as const)
      await agree([abe, bob, cat], post, { by: "ann", text });
    const refusedTo = async (who: Resident, post: string) => {
      const form = { post: "Look", quoteID: await idOf(who, post) };
      const { status } = await who.api.call("POST", "/posts", form);
      assert.equal(status, 400, who.name);
    };
    await refusedTo(abe, closed);
    await refusedTo(abe, half);
    // diaspora* has no word for it: a quote is a link there.
    if (protocol === "diaspora") return;
    await refusedTo(bob, closed);
    const allowed = await quote(bob, half, "By a follower");
    await agreeOnQuote([bob], allowed, "accepted: For followers to quote");
    const refused = await quote(cat, half, "By a stranger");
    await agreeOnQuote([cat], refused, "rejected");
    await settleAnn(town);
    await agreeOnQuote([cat], refused, "rejected");
  },
};
