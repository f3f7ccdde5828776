import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { assertError } from "../support/server/api-client.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  activityOf,
  actorOf,
  submitAndApply,
  objectOf,
  readDocument,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import type {
  CommentRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  let ann: TestPerson;
  let dan: RemoteActor;
  let eve: RemoteActor;
  let eveId: number;
  let round = 0;
  beforeEach(async () => {
    round += 1;
    ann = await kith().person();
    dan = remote.actor(`dan${kind}${round}`);
    eve = remote.actor(`eve${kind}${round}`);
    await ann.post("/search", { handle: dan.handle });
    const { handle } = eve;
    eveId = (await ann.post<PersonRecord>("/search", { handle })).ID;
  });

  const blockEve = async () => {
    await ann.post(`/people/${eveId}/block`);
    await kith().settle();
  };
  /** A Note to dan and eve alone. @returns its Guid */
  const notifyBoth = async (): Promise<string> => {
    const id = await submitAndApply(kith(), ann, {
      type: "Note",
      content: "limited",
      to: [dan.id, eve.id],
    });
    await kith().settle();
    return id.slice(id.lastIndexOf("/") + 1);
  };
  const typesTo = (actor: RemoteActor) =>
    remote.delivered
      .filter(({ path }) => path === new URL(`${actor.id}/inbox`).pathname)
      .map(({ activity }) => activity["type"]);

  test("a blocked remote person gets nothing new, but still retractions", async () => {
    const guid = await notifyBoth();
    assert.deepEqual(typesTo(eve), ["Create"]);
    assert.deepEqual(typesTo(dan), ["Create"]);
    await blockEve();
    assert.deepEqual(typesTo(eve), ["Create", "Block"]);
    await ann.post(`/posts/${guid}/comments`, { comment: "without eve" });
    await notifyBoth();
    const mention = `hello @{${eve.handle}} and @{${dan.handle}}`;
    await ann.post("/posts", { post: mention });
    await ann.post(`/posts/${guid}/comments`, { comment: mention });
    await kith().settle();
    assert.deepEqual(typesTo(eve), ["Create", "Block"]);
    assert.deepEqual(typesTo(dan), Array<string>(5).fill("Create"));
    await ann.delete(`/posts/${guid}`);
    await kith().settle();
    assert.deepEqual(typesTo(eve), ["Create", "Block", "Delete"]);
  });

  test("a reshare of the author's post is not sent to people blocked by the author", async () => {
    const bob = await kith().person();
    const post = await ann.post<PostRecord>("/posts", { post: "of ann" });
    for (const actor of [dan, eve])
      await actor.deliver(
        kith(),
        actor.activity("Follow", { object: actorOf(kith(), bob.username) }),
      );
    await blockEve();
    await bob.post(`/posts/${post.Guid}/reshare`);
    await kith().settle();
    assert.ok(typesTo(dan).includes("Announce"));
    assert.ok(!typesTo(eve).includes("Announce"));
  });

  test("a blocked person's signed request gets public content, for the others on that server, and nothing limited", async () => {
    const limited = await notifyBoth();
    const { Guid: open, ID } = await ann.post<PostRecord>("/posts", {
      post: "open",
    });
    const said = await ann.post<CommentRecord>(`/posts/${ID}/comments`, {
      comment: "c",
    });
    const idsOf = (guid: string) => [
      objectOf(kith(), guid),
      activityOf(kith(), guid),
      `${objectOf(kith(), guid)}/replies`,
    ];
    const context = (guid: string) =>
      `${kith().baseUrl}/api/v1/ap/context/${guid}`;
    const isPublic = [...idsOf(open), ...idsOf(said.Guid), context(open)];
    const isLimited = [...idsOf(limited), context(limited)];
    const all = [...isPublic, ...isLimited];
    for (const url of all) readDocument(await eve.get(kith(), url), url);
    await blockEve();
    for (const url of all) readDocument(await dan.get(kith(), url), url);
    for (const url of isPublic) readDocument(await eve.get(kith(), url), url);
    for (const url of isLimited)
      assertError(await eve.get(kith(), url), 404, "Not found", url);
  });

  test("a blocked remote person can still retract their own content", async () => {
    const { Guid } = await ann.post<PostRecord>("/posts", { post: "open" });
    const note = eve.note({ inReplyTo: objectOf(kith(), Guid) });
    await eve.deliver(kith(), eve.activity("Create", { object: note }));
    const count = async () =>
      (await ann.get<PostRecord>(`/posts/${Guid}`)).CommentsCount;
    assert.equal(await count(), 1);
    await blockEve();
    const object = { id: note["id"] as string, type: "Tombstone" };
    await eve.deliver(kith(), eve.activity("Delete", { object }));
    assert.equal(await count(), 0);
  });
});
