import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { actorOf, sendFollow } from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";

/** Acts that other servers undo, delete or change in ways of their own. */
forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let ann: TestPerson;
  let eve: RemoteActor;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    ann = await kith().person();
    eve = await followed();
  });
  after(() => remote.close());

  const follow = async (one: RemoteActor): Promise<RemoteActor> => {
    await sendFollow(kith(), ann, one);
    return one;
  };
  const followed = () => follow(remote.actor(`odd${++names}`));
  const idOf = ({ id }: JsonObject): string => {
    assert.ok(typeof id === "string");
    return id;
  };
  const publish = async (by: RemoteActor): Promise<JsonObject> => {
    const object = by.note();
    const create = by.activity("Create", { object, to: [PUBLIC] });
    await by.deliver(kith(), create);
    return object;
  };
  const postOf = (note: JsonObject) =>
    kith().server.features.posts.find({ uri: idOf(note) });
  const signs = async (note: JsonObject) => {
    const post = await postOf(note);
    assert.ok(post);
    const page = { limit: 20, offset: 0 };
    const { likes } = kith().server.features;
    const list = await likes.list({ post: { id: post.id } }, null, page);
    return list.map(({ positive }) => (positive ? "+" : "-")).join("");
  };

  test("a vote that a group passes on is undone by a Like under another id, as Lemmy does for both", async () => {
    const note = await publish(eve);
    const club = await group();
    const say = (object: JsonObject) =>
      club.deliver(kith(), club.activity("Announce", { object, to: [PUBLIC] }));
    for (const type of ["Like", "Dislike"]) {
      const fan = await followed();
      await say(fan.activity(type, { object: idOf(note) }));
      assert.equal(await signs(note), type === "Like" ? "+" : "-");
      const undo = () =>
        fan.activity("Undo", {
          object: fan.activity("Like", { object: idOf(note) }),
        });
      // Sent by its author, it may be that of an older one, and late.
      await fan.deliver(kith(), undo());
      assert.equal(await signs(note), type === "Like" ? "+" : "-");
      await say(undo());
      assert.equal(await signs(note), "");
    }
  });

  test("a Like and an Announce without an id are undone by their object", async () => {
    const note = await publish(eve);
    const fan = await followed();
    for (const type of ["Like", "Announce"]) {
      const { id: _, ...act } = fan.activity(type, {
        ...{ object: idOf(note), to: [PUBLIC] },
      });
      await fan.deliver(kith(), act);
      const { posts, people } = kith().server.features;
      const person = await people.find({ uri: fan.id });
      const post = await postOf(note);
      assert.ok(person && post);
      const isThere = async () =>
        type === "Like"
          ? (await signs(note)) === "+"
          : (await posts.findReshareOf(post.guid, person.id)) !== undefined;
      assert.ok(await isThere(), type);
      await fan.deliver(kith(), fan.activity("Undo", { object: act }));
      assert.ok(!(await isThere()), type);
    }
  });

  test("an Undo that comes late undoes no newer Like", async () => {
    const note = await publish(eve);
    const fan = await followed();
    const [first, second] = [1, 2].map(() =>
      fan.activity("Like", { object: idOf(note) }),
    ) as [JsonObject, JsonObject];
    await fan.deliver(kith(), first);
    await fan.deliver(kith(), second);
    await fan.deliver(kith(), fan.activity("Undo", { object: first }));
    assert.equal(await signs(note), "+");
  });

  test("a Follow is undone by a copy that does not name its actor", async () => {
    const fan = remote.actor(`odd${++names}`);
    const object = actorOf(kith(), ann.username);
    const { actor: _, ...act } = fan.activity("Follow", { object });
    await fan.deliver(kith(), { ...act, actor: fan.id });
    const { contacts, people } = kith().server.features;
    const person = await people.find({ uri: fan.id });
    assert.ok(person);
    const isRelated = () => contacts.isRelatedToAnybody(person.id);
    assert.ok(await isRelated());
    await fan.deliver(kith(), fan.activity("Undo", { object: act }));
    assert.ok(!(await isRelated()));
  });

  const group = async (): Promise<RemoteActor> => {
    const one = remote.actor(`group${++names}`);
    one.profile = { type: "Group" };
    await follow(one);
    await one.acceptFollow(kith());
    return one;
  };
  const serve = (document: JsonObject) =>
    remote.documents.set(idOf(document), {
      "@context": "https://www.w3.org/ns/activitystreams",
      ...document,
    });

  test("an event of a group is created, changed and deleted by a member (Mobilizon)", async () => {
    const club = await group();
    const member = remote.actor(`odd${++names}`);
    const event: JsonObject = {
      ...member.note({ type: "Event", name: "Party" }),
      ...{ attributedTo: club.id, actor: member.id },
      startTime: "2030-05-01T20:00:00Z",
    };
    const say = (type: string, object: JsonObject) =>
      member.deliver(
        kith(),
        member.activity(type, { object, attributedTo: club.id, to: [PUBLIC] }),
      );
    serve(event);
    await say("Create", event);
    const { posts, events, people } = kith().server.features;
    const post = await posts.find({ uri: idOf(event) });
    assert.ok(post?.eventId);
    assert.equal((await people.find({ uri: club.id }))?.id, post.personId);
    const changed = {
      ...{ ...event, startTime: "2030-05-02T20:00:00Z" },
      updated: new Date(kith().clock.now()).toISOString(),
    };
    serve(changed);
    await say("Update", changed);
    const now = await events.find({ id: post.eventId });
    assert.match(String(now?.start), /^2030-05-02/);
    await say("Delete", { id: idOf(event), type: "Tombstone" });
    assert.ok(await posts.find({ uri: idOf(event) }), "it is still there");
    remote.documents.delete(idOf(event));
    remote.answers.set(new URL(idOf(event)).pathname, (response) =>
      response.writeHead(410).end(),
    );
    await say("Delete", { id: idOf(event), type: "Tombstone" });
    assert.equal(await posts.find({ uri: idOf(event) }), undefined);
  });

  test("an object is a group's only if its server names both, and that is a group", async () => {
    const club = await group();
    const member = remote.actor(`odd${++names}`);
    const claim = (members: JsonObject): JsonObject => ({
      ...member.note(),
      actor: member.id,
      ...members,
    });
    const cases: [string, JsonObject, JsonObject][] = [
      ["another person", claim({ attributedTo: eve.id }), {}],
      [
        "written by another",
        claim({ attributedTo: club.id }),
        { actor: eve.id },
      ],
      [
        "not served",
        claim({ attributedTo: club.id }),
        { attributedTo: eve.id },
      ],
    ];
    for (const [name, object, served] of cases) {
      serve({ ...object, ...served });
      const create = member.activity("Create", { object, to: [PUBLIC] });
      await member.deliver(kith(), create);
      assert.equal(await postOf(object), undefined, name);
    }
  });

  test("a person whose server was away when it announced a change is read again", async () => {
    const path = new URL(eve.id).pathname;
    eve.profile = { name: "Anew" };
    remote.answers.set(path, (response) => response.writeHead(503).end());
    const update = eve.activity("Update", { object: eve.document() });
    await eve.deliver(kith(), update);
    remote.answers.delete(path);
    kith().clock.advance(10 * 60_000);
    await kith().settle();
    const person = await kith().server.features.people.find({ uri: eve.id });
    assert.equal(person?.profile.firstName, "Anew");
  });
});
