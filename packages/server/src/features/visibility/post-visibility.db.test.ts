import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Viewer } from "./viewer.ts";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import { block } from "../../../test/support/scenes/distance.ts";
import {
  useKith,
  type TestPerson,
} from "../../../test/support/server/kith-server.ts";
import {
  remotePerson,
  remotePost,
} from "../../../test/support/remote/remote-people.ts";
import type {
  AspectRecord,
  PostRecord,
} from "../../../test/support/server/wire.ts";
import type { Person } from "../people/index.ts";

type Who = "author" | "member" | "stranger" | "friend" | "foreigner" | "nobody";

const EVERYONE: readonly Who[] = [
  "author",
  "member",
  "stranger",
  "friend",
  "foreigner",
  "nobody",
];

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let author: TestPerson;
  let aspect: AspectRecord;
  let viewers: Record<Who, Viewer>;

  const local = ({ record }: TestPerson): Viewer => ({
    personId: record.ID,
    userId: record.UserID,
  });
  const remote = ({ id }: Person): Viewer => ({ personId: id, userId: null });

  before(async () => {
    author = await kith().person();
    const [member, stranger] = [await kith().person(), await kith().person()];
    const friend = await remotePerson(kith(), "friend@remote.example");
    const foreigner = await remotePerson(kith(), "foreigner@remote.example");
    aspect = await author.post<AspectRecord>("/aspects", { name: "a" });
    for (const id of [member.record.ID, friend.id])
      await author.post(`/people/${id}/aspects/${aspect.ID}`);
    viewers = {
      author: local(author),
      member: local(member),
      stranger: local(stranger),
      friend: remote(friend),
      foreigner: remote(foreigner),
      nobody: null,
    };
  });

  /** The people who see the post, checked on every path to it. */
  async function seenBy(guid: string): Promise<Who[]> {
    const { posts } = kith().server.features;
    const found = await posts.find({ guid });
    assert.ok(found);
    const page = { offset: 0, limit: 100 };
    const seen: Who[] = [];
    for (const who of EVERYONE) {
      const viewer = viewers[who];
      const ways: boolean[] = [
        (await posts.findVisible({ guid }, viewer)) !== undefined,
        (await posts.findVisible({ id: found.id }, viewer)) !== undefined,
        (await posts.listByGuid([guid], viewer)).has(guid),
        (await posts.listOf(found.personId, viewer, page)).some(
          (post) => post.guid === guid,
        ),
      ];
      assert.equal(new Set(ways).size, 1, `${who}: ${ways.join()}`);
      if (ways[0]) seen.push(who);
    }
    return seen;
  }

  const publish = (form: { post: string; aspectID?: number }) =>
    author.post<PostRecord>("/posts", form);

  test("everyone sees a public post", async () => {
    const { Guid } = await publish({ post: "open" });
    assert.deepEqual(await seenBy(Guid), EVERYONE);
  });

  test("its author and the members of its aspect see a private post", async () => {
    const { Guid } = await publish({ post: "closed", aspectID: aspect.ID });
    assert.deepEqual(await seenBy(Guid), ["author", "member", "friend"]);
  });

  test("its author alone sees a post to an aspect without members", async () => {
    const empty = await author.post<AspectRecord>("/aspects", { name: "b" });
    const { Guid } = await publish({ post: "alone", aspectID: empty.ID });
    assert.deepEqual(await seenBy(Guid), ["author"]);
  });

  test("a post stays with those who got it, also without its aspect", async () => {
    const made = await author.post<AspectRecord>("/aspects", { name: "c" });
    const { personId } = viewers.stranger ?? {};
    await author.post(`/people/${personId}/aspects/${made.ID}`);
    const { Guid } = await publish({ post: "kept", aspectID: made.ID });
    await author.delete(`/aspects/${made.ID}`);
    assert.deepEqual(await seenBy(Guid), ["author", "stranger"]);
  });

  test("a limited post from elsewhere is seen by those whom it was given to", async () => {
    const { posts, people } = kith().server.features;
    const by = await people.find({ handle: "foreigner@remote.example" });
    assert.ok(by && viewers.stranger && viewers.member);
    const { personId } = viewers.stranger;
    const given = { public: false, listed: false, recipients: [personId] };
    const post = remotePost(by, given);
    await posts.receive(post);
    assert.deepEqual(await seenBy(post.guid), ["stranger", "foreigner"]);
    const more = { ...post, recipients: [viewers.member.personId] };
    assert.equal((await posts.receive(more)).kind, "known");
    assert.deepEqual(await seenBy(post.guid), [
      "member",
      "stranger",
      "foreigner",
    ]);
  });

  test("an unlisted post is seen by its link and by contacts, not among all", async () => {
    const { posts, people } = kith().server.features;
    const by = await people.find({ handle: "friend@remote.example" });
    assert.ok(by && viewers.author && viewers.stranger);
    const post = remotePost(by, { listed: false });
    await posts.receive(post);
    assert.deepEqual(await seenBy(post.guid), EVERYONE);
    const page = { offset: 0, limit: 100 };
    const lists = async (
      viewer: NonNullable<Viewer>,
      which: "all" | "public",
    ) =>
      (await posts.listStream(viewer, which, page)).some(
        ({ guid }) => guid === post.guid,
      );
    assert.equal(await lists(viewers.author, "all"), true);
    assert.equal(await lists(viewers.author, "public"), false);
    assert.equal(await lists(viewers.stranger, "all"), false);
    assert.equal(await lists(viewers.stranger, "public"), false);
  });

  test("people whom the author blocks see nothing of the post any more, here or elsewhere", async () => {
    const one = await publish({ post: "open" });
    const two = await publish({ post: "closed", aspectID: aspect.ID });
    for (const who of ["member", "foreigner"] as const) {
      const { personId } = viewers[who] ?? {};
      assert.ok(personId);
      await block(kith().db, author.record.ID, personId);
    }
    assert.deepEqual(await seenBy(one.Guid), [
      "author",
      "stranger",
      "friend",
      "nobody",
    ]);
    assert.deepEqual(await seenBy(two.Guid), ["author", "friend"]);
  });
});
