import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PUBLIC, type JsonObject } from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { submitAndApply, objectOf } from "../support/remote/linked-data.ts";
import { plan } from "../support/scenes/planning.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type { CommentRecord, PostRecord } from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  let count = 0;
  const newActor = () => remote.actor(`dan${(count += 1)}`);
  /** A known person without any relation. */
  const strangerTo = async (ann: TestPerson): Promise<RemoteActor> => {
    const dan = newActor();
    await ann.post("/search", { handle: dan.handle });
    return dan;
  };
  const sentTo = (dan: RemoteActor, type: string): JsonObject[] =>
    remote
      .ofType(type)
      .filter(({ path }) => `${dan.id}/inbox`.endsWith(path))
      .map(({ activity }) => activity);
  const last = (dan: RemoteActor, type: string): JsonObject =>
    sentTo(dan, type).at(-1) ?? assert.fail(`${type} did not come`);
  const idOf = (activity: JsonObject): unknown =>
    (activity["object"] as JsonObject)["id"];

  for (const isGone of [false, true])
    test(`the Undo of a reshare names the root${isGone ? ", which is gone" : ""}`, async () => {
      const ann = await kith().person();
      const dan = newActor();
      await submitAndApply(kith(), ann, { type: "Follow", object: dan.id });
      const note = dan.note({ to: [PUBLIC], content: `<p>root ${count}</p>` });
      await dan.deliver(kith(), dan.activity("Create", { object: note }));
      const posts = await ann.get<PostRecord[]>("/posts");
      const root = posts.find(({ Person }) => Person.Author === dan.handle);
      const reshare = await ann.post<PostRecord>(`/posts/${root?.ID}/reshare`);
      await kith().settle();
      const announce = last(dan, "Announce");
      assert.equal(announce["object"], note["id"]);
      if (isGone)
        await dan.deliver(kith(), dan.activity("Delete", { object: note }));
      await ann.delete(`/posts/${reshare.Guid}`);
      await kith().settle();
      const undone = last(dan, "Undo")["object"] as JsonObject;
      assert.equal(undone["id"], announce["id"]);
      assert.equal(undone["object"], note["id"]);
    });

  test("a person only mentioned in a post is notified of its deletion, and then forgotten", async () => {
    const ann = await kith().person();
    const dan = await strangerTo(ann);
    const text = `look, @{Dan; ${dan.handle}}`;
    const post = await ann.post<PostRecord>("/posts", { post: text });
    await kith().settle();
    const id = objectOf(kith(), post.Guid);
    assert.equal(idOf(last(dan, "Create")), id);
    await ann.delete(`/posts/${post.Guid}`);
    await kith().settle();
    assert.equal(idOf(last(dan, "Delete")), id);
    const { details } = await kith()
      .db.read.selectFrom("tombstones")
      .select("details")
      .where("guid", "=", post.Guid)
      .executeTakeFirstOrThrow();
    assert.ok(!("mentioned" in (JSON.parse(details) as object)));
  });

  test("and so is a person mentioned in a comment", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const dan = await strangerTo(ann);
    const post = await ann.post<PostRecord>("/posts", { post: "root" });
    const comment = `ask @{Dan; ${dan.handle}}`;
    const path = `/posts/${post.ID}/comments`;
    const said = await bob.post<CommentRecord>(path, { comment });
    await kith().settle();
    assert.equal(idOf(last(dan, "Create")), objectOf(kith(), said.Guid));
    await bob.delete(`/comments/${said.Guid}`);
    await kith().settle();
    assert.equal(idOf(last(dan, "Delete")), objectOf(kith(), said.Guid));
  });

  test("and notified of changes of its event", async () => {
    const ann = await kith().person();
    const dan = await strangerTo(ann);
    const event = await plan(ann, { announce: false });
    const form = { post: `come, @{Dan; ${dan.handle}}`, eventID: event.ID };
    const sent = await ann.call("POST", "/posts", { form });
    assert.equal(sent.status, 400, "a personal entry goes to nobody");
    const open = await plan(ann);
    const post = await ann.post<PostRecord>("/posts", {
      ...form,
      eventID: open.ID,
    });
    await kith().settle();
    await ann.put(`/calendar/events/${open.ID}`, { location: "The hall" });
    await kith().settle();
    const update = last(dan, "Update");
    assert.equal(idOf(update), objectOf(kith(), post.Guid));
    assert.match(JSON.stringify(update), /The hall/);
  });

  test("and of the departure of its author", async () => {
    const ann = await kith().person();
    const [dan, eve] = [await strangerTo(ann), await strangerTo(ann)];
    const post = await ann.post<PostRecord>("/posts", {
      post: `bye, @{Dan; ${dan.handle}}`,
    });
    await ann.post(`/posts/${post.ID}/comments`, {
      comment: `bye, @{Eve; ${eve.handle}}`,
    });
    await kith().settle();
    const left = await ann.call("DELETE", "/users", {
      form: { password: PASSWORD },
    });
    assert.equal(left.status, 200);
    await kith().settle();
    for (const one of [dan, eve])
      assert.equal(last(one, "Delete")["actor"], last(one, "Create")["actor"]);
  });
});
