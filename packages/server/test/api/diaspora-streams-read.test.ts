import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { forEachDatabase } from "../support/server/databases.ts";
import { DiasporaPod, type PodPerson } from "../support/remote/diaspora-pod.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { podPost } from "../support/remote/pod-entities.ts";
import type { PostRecord } from "../support/server/wire.ts";

let serial = 0;

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let pod: DiasporaPod;
  let ann: TestPerson;
  let bob: PodPerson;

  before(async () => {
    pod = await DiasporaPod.start();
    ann = await kith().person();
  });
  after(() => pod.close());
  beforeEach(() => {
    serial += 1;
    bob = pod.person(`reader${serial}`);
    pod.posted.length = 0;
    pod.asked.length = 0;
  });

  const streamOf = ({ guid }: PodPerson) => `/people/${guid}/stream`;
  const entry = (guid: string, author = bob.guid, isPublic = true) => ({
    guid,
    author: { guid: author },
    public: isPublic,
  });
  const serve = (entries: unknown) =>
    pod.put(streamOf(bob), JSON.stringify(entries), "application/json");
  async function shelved(author = bob): Promise<string> {
    const post = podPost(author);
    pod.shelve("post", post.guid, await author.seal(post));
    return post.guid;
  }
  const search = async () => {
    await ann.post("/search", { handle: bob.handle });
    await kith().settle();
  };
  const isHere = async (guid: string) =>
    (await kith().server.features.posts.find({ guid })) !== undefined;

  test("a person searched for the first time comes with the last public posts", async () => {
    const guids = [await shelved(), await shelved()];
    serve(guids.map((guid) => entry(guid)));
    await search();
    for (const guid of guids) assert.ok(await isHere(guid));
    // From now on comments come: they are subscribed to in the searcher's name.
    const subscribed = await pod.ofType("participation");
    assert.deepEqual(
      subscribed
        .map(({ sender, entity }) => [sender, entity.parentGuid])
        .sort(),
      guids.map((guid) => [ann.handle, guid]).sort(),
    );
    await search();
    assert.equal(pod.countOf(streamOf(bob)), 1, "it is read once");
  });

  test("of a stream only the person's own public posts are taken, and fifteen at most", async () => {
    const eve = pod.person(`eve${serial}`);
    const foreign = await shelved(eve);
    const mislabelled = await shelved(eve);
    const limited = await shelved();
    const many = await Promise.all(Array.from({ length: 20 }, () => shelved()));
    serve([
      entry(foreign, eve.guid),
      // It says that it is bob's, and is not.
      entry(mislabelled),
      entry(limited, bob.guid, false),
      { nonsense: true },
      null,
      ...many.map((guid) => entry(guid)),
      ...many.map((guid) => entry(guid)),
    ]);
    await search();
    for (const guid of [foreign, mislabelled, limited])
      assert.equal(await isHere(guid), false, guid);
    const taken = await Promise.all(many.map(isHere));
    assert.deepEqual(
      taken,
      many.map((_, index) => index < 14),
    );
    assert.equal(pod.countOf("/fetch/post/"), 15);
    assert.equal(pod.countOf(`/fetch/post/${foreign}`), 0);
  });

  test("a stream that is none, or is too large, is left, and the person is there all the same", async () => {
    const guid = await shelved();
    pod.put(streamOf(bob), `[{"guid":"${guid}",`, "application/json");
    await search();
    assert.equal(await isHere(guid), false);
    bob = pod.person(`large${serial}`);
    const own = await shelved();
    const filler = "x".repeat(2 * 1024 * 1024);
    serve([entry(own), { filler }]);
    await search();
    assert.equal(await isHere(own), false);
    const { people } = kith().server.features;
    assert.ok(await people.find({ handle: bob.handle }));
  });

  test("the stream that is served: public posts for machines, the page for people", async () => {
    const post = await ann.post<PostRecord>("/posts", { post: "in my stream" });
    const url = `${kith().baseUrl}/people/${ann.record.Guid}/stream`;
    const accept = "application/json";
    const json = await fetch(url, { headers: { accept } });
    assert.match(json.headers.get("content-type") ?? "", /^application\/json/);
    const [first] = (await json.json()) as [ReturnType<typeof entry>];
    assert.equal(first.guid, post.Guid);
    assert.equal(first.author.guid, ann.record.Guid);
    assert.equal(first.public, true);
    for (const html of ["text/html", "*/*"]) {
      const page = await fetch(url, {
        headers: { accept: html },
        redirect: "manual",
      });
      assert.equal(page.status, 302);
      const location = `/people/${ann.record.Guid}`;
      assert.equal(page.headers.get("location"), location);
    }
  });
});
