import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { podComment, podPost } from "../support/remote/pod-entities.ts";
import type { PostRecord } from "../support/server/wire.ts";

let serial = 0;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let ann: TestPerson;
  let bob: PodPerson;
  let eve: PodPerson;

  before(async () => {
    pod = await DiasporaPod.start();
    ann = await kith().person();
  });
  after(() => pod.close());
  beforeEach(() => {
    serial += 1;
    bob = pod.person(`bob${serial}`);
    eve = pod.person(`eve${serial}`);
    pod.posted.length = 0;
    pod.asked.length = 0;
  });

  async function shelved(author: PodPerson, text = "linked"): Promise<string> {
    const post = podPost(author, { text });
    pod.shelve("post", post.guid, await author.seal(post));
    return post.guid;
  }
  const link = ({ handle }: { handle: string }, guid: string) =>
    `diaspora://${handle}/post/${guid}`;
  const isHere = async (guid: string) =>
    (await kith().server.features.posts.find({ guid })) !== undefined;
  const open = async (q: string, headers: Record<string, string> = {}) => {
    const url = `${kith().baseUrl}/link?q=${encodeURIComponent(q)}`;
    const { status, headers: back } = await fetch(url, {
      headers: { accept: "text/html", ...headers },
      redirect: "manual",
    });
    return `${status} ${back.get("location") ?? ""}`.trim();
  };
  const signedIn = async () => {
    const visit = visitor(kith().baseUrl);
    const form = { username: ann.username, password: PASSWORD };
    const answer = await visit.post("/users/sign_in", form);
    assert.equal(answer.status, 302);
    return { cookie: visit.cookies() };
  };

  test("posts that a text links to are fetched, five at most, and not those that they link to", async () => {
    const beyond = await shelved(eve);
    const linked = await Promise.all(
      Array.from({ length: 6 }, () => shelved(eve, link(eve, beyond))),
    );
    const text = linked
      .map((guid, i) => (i === 0 ? "web+" : "") + link(eve, guid))
      .join(" ");
    await bob.deliver(kith(), podPost(bob, { text }));
    assert.deepEqual(await Promise.all(linked.map(isHere)), [
      ...Array.from({ length: 5 }, () => true),
      false,
    ]);
    assert.equal(await isHere(beyond), false);
    assert.equal(pod.countOf("/fetch/"), 5);
  });

  test("a comment's links are followed, too", async () => {
    const post = await ann.post<PostRecord>("/posts", { post: "talk" });
    const guid = await shelved(eve);
    const text = link(eve, guid);
    await bob.deliver(kith(), await podComment(bob, post.Guid, { text }));
    assert.ok(await isHere(guid));
  });

  test("nothing is fetched for a message that failed a check, nor a post by another than the one named", async () => {
    const guid = await shelved(eve);
    const text = link(eve, guid);
    const forged = podPost(eve, { text });
    await bob.deliver(kith(), forged);
    const unsigned = await podComment(bob, guid, { text });
    await eve.deliver(kith(), unsigned);
    const limited = podPost(bob, { text, public: false });
    await bob.deliver(kith(), limited);
    assert.equal(await isHere(forged.guid), false);
    assert.equal(await isHere(limited.guid), false);
    assert.equal(pod.countOf(`/fetch/post/${guid}`), 1, "of the comment alone");

    const other = await shelved(eve);
    await bob.deliver(kith(), podPost(bob, { text: link(bob, other) }));
    assert.equal(pod.countOf(`/fetch/post/${other}`), 1);
    assert.equal(await isHere(other), false);
  });

  test("a link shows the page of the post where it is here, else the way to it", async () => {
    const known = podPost(eve);
    await eve.deliver(kith(), known);
    const missing = "0123456789abcdef";
    const text = [
      link(eve, known.guid),
      `web+${link(eve, known.guid)}`,
      // Not his.
      link(bob, known.guid),
      link(eve, missing),
    ].join("\n\n");
    const post = await ann.post<PostRecord>("/posts", { post: text });
    const page = await fetch(`${kith().baseUrl}/posts/${post.Guid}`);
    const hrefs = [...(await page.text()).matchAll(/href="([^"]*)"/g)]
      .map((match) => match[1] ?? "")
      .filter((href) => href.includes(known.guid) || href.includes(missing));
    const { baseUrl } = kith();
    const resolver = (q: string) =>
      `${baseUrl}/link?q=${encodeURIComponent(q)}`;
    assert.deepEqual(hrefs, [
      `${baseUrl}/posts/${known.guid}`,
      `${baseUrl}/posts/${known.guid}`,
      resolver(link(bob, known.guid)),
      resolver(link(eve, missing)),
    ]);
  });

  test("a link to a post fetches it only for signed-in people", async () => {
    const guid = await shelved(eve);
    const q = link(eve, guid);
    assert.equal(await open(q), "404");
    const cookie = await signedIn();
    const foreign = { ...cookie, "sec-fetch-site": "cross-site" };
    assert.equal(await open(q, foreign), "404");
    assert.equal(pod.asked.length, 0);
    assert.equal(await open(q, cookie), `302 /posts/${guid}`);
    assert.equal(await open(q), `302 /posts/${guid}`);
    assert.equal(await open(`web+${q}`), `302 /posts/${guid}`);
    // Not by the one named.
    assert.equal(await open(link(bob, guid), cookie), "404");
    await kith().settle();
    const [subscribed] = await pod.ofType("participation");
    assert.equal(subscribed?.sender, ann.handle);
  });

  test("a link to a person leads to the person, and nonsense nowhere", async () => {
    const q = `diaspora://${bob.handle}`;
    assert.equal(await open(q), "404");
    assert.equal(pod.asked.length, 0);
    const cookie = await signedIn();
    const found = await open(q, cookie);
    assert.match(found, /^302 \/people\/[^/]+$/);
    assert.equal(await open(q), found);
    for (const wrong of [
      "",
      "https://kith.example/",
      "diaspora://",
      `diaspora://${bob.handle}/comment/0123456789abcdef`,
      `diaspora://${bob.handle}/post/short`,
      "diaspora://nobody/post/0123456789abcdef",
    ])
      assert.equal(await open(wrong, cookie), "404", wrong);
  });

  test("a limited post is led to only where it may be seen", async () => {
    const post = podPost(eve, { public: false, text: "for ann" });
    await eve.whisper(kith(), post, ann);
    const q = link(eve, post.guid);
    assert.equal(await open(q), "404");
    const cookie = await signedIn();
    assert.equal(await open(q, cookie), `302 /posts/${post.guid}`);
    const shown = await ann.post<PostRecord>("/posts", { post: q });
    const page = await fetch(`${kith().baseUrl}/posts/${shown.Guid}`);
    // Not even that it is here.
    assert.ok((await page.text()).includes("/link?q="));
  });
});
