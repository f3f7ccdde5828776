import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  loadJsonLd,
  PUBLIC,
  verifyLdSignature,
  type JsonObject,
} from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { decideOn } from "../support/remote/host-town.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  ask,
  objectOf,
  read,
  sendFollow,
} from "../support/remote/linked-data.ts";
import { textIn } from "../support/scenes/planners.ts";
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
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
  });
  after(() => remote.close());

  const stranger = (): RemoteActor => remote.actor(`quoter${++names}`);
  const answersTo = ({ id }: JsonObject) =>
    remote.delivered
      .map(({ activity }) => activity)
      .filter(
        ({ object }) => (object as JsonObject | undefined)?.["id"] === id,
      );
  /** Asks for leave; gives the answers, by type and result. */
  const askToQuote = async (
    by: RemoteActor,
    quoted: string,
    again?: string,
  ) => {
    const note = by.note({ quote: quoted, ...(again && { id: again }) });
    const request = by.activity("QuoteRequest", {
      object: quoted,
      instrument: note,
    });
    await by.deliver(kith(), request);
    const [answer, ...more] = answersTo(request);
    assert.equal(more.length, 0);
    return { note, type: answer?.["type"], result: answer?.["result"] };
  };
  const leaveOf = async (by: RemoteActor, quoted: string) => {
    const { note, type, result } = await askToQuote(by, quoted);
    assert.equal(type, "Accept");
    return { note, id: textIn(result) };
  };
  const publish = async (by: TestPerson) => {
    const post = await by.post<PostRecord>("/posts", { post: "wise words" });
    return { ...post, quoted: objectOf(kith(), post.Guid) };
  };
  /** The Deletes of a leave that came, each with the inbox that it came to. */
  const revokedFor = (leave: string) =>
    remote
      .ofType("Delete")
      .filter(
        ({ activity }) =>
          (activity["object"] as JsonObject | undefined)?.["id"] === leave,
      );
  const assertRevoked = async (
    leave: string,
    by: TestPerson,
    asker: RemoteActor,
    note: JsonObject,
  ) => {
    const [one, ...more] = revokedFor(leave);
    assert.ok(one, "nobody was notified");
    assert.equal(more.length, 0);
    assert.equal(one.path, new URL(`${asker.id}/inbox`).pathname);
    const { activity } = one;
    assert.equal(activity["actor"], actorOf(kith(), by.username));
    assert.deepEqual(activity["to"], [PUBLIC]);
    const object = activity["object"] as JsonObject;
    assert.equal(object["type"], "QuoteAuthorization");
    assert.equal(object["interactingObject"], note["id"]);
    assert.equal((await ask(leave)).status, 404);
    assert.ok(activity["proof"]);
    return activity;
  };
  test("a deleted post takes the leave to quote it back, and the quoting server can pass that on", async () => {
    const [ann, eve, fay] = [await kith().person(), stranger(), stranger()];
    const { Guid, quoted } = await publish(ann);
    const [ofEve, ofFay] = [
      await leaveOf(eve, quoted),
      await leaveOf(fay, quoted),
    ];
    const other = await publish(ann);
    const kept = await leaveOf(eve, other.quoted);
    await ann.delete(`/posts/${Guid}`);
    await kith().settle();
    const revocation = await assertRevoked(ofEve.id, ann, eve, ofEve.note);
    await assertRevoked(ofFay.id, ann, fay, ofFay.note);
    assert.equal((await read(kept.id))["type"], "QuoteAuthorization");
    assert.deepEqual(revokedFor(kept.id), []);
    const key = ann.record.SerializedPublicKey;
    await verifyLdSignature(revocation, key, await loadJsonLd());
    assert.equal((await read(textIn(revocation["id"])))["type"], "Delete");
  });

  test("the leave to quote a comment is taken back with the comment, and with its post", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    const { ID, Guid } = await publish(ann);
    const comment = async () => {
      const record = await ann.post<CommentRecord>(`/posts/${ID}/comments`, {
        comment: "indeed",
      });
      const leave = await leaveOf(eve, objectOf(kith(), record.Guid));
      return { ...leave, guid: record.Guid };
    };
    const [first, second] = [await comment(), await comment()];
    await ann.delete(`/comments/${first.guid}`);
    await kith().settle();
    await assertRevoked(first.id, ann, eve, first.note);
    assert.deepEqual(revokedFor(second.id), []);
    await ann.delete(`/posts/${Guid}`);
    await kith().settle();
    await assertRevoked(second.id, ann, eve, second.note);
  });

  test("a block revokes the person's authorizations, refuses new ones, and ends with new ids", async () => {
    const [ann, eve, fay] = [await kith().person(), stranger(), stranger()];
    const { quoted } = await publish(ann);
    const [ofEve, ofFay] = [
      await leaveOf(eve, quoted),
      await leaveOf(fay, quoted),
    ];
    const { handle } = eve;
    const { ID } = await ann.post<PersonRecord>("/search", { handle });
    await ann.post(`/people/${ID}/block`);
    await kith().settle();
    await assertRevoked(ofEve.id, ann, eve, ofEve.note);
    assert.equal((await read(ofFay.id))["type"], "QuoteAuthorization");
    const refused = await askToQuote(eve, quoted);
    assert.deepEqual([refused.type, refused.result], ["Reject", undefined]);
    await ann.delete(`/people/${ID}/block`);
    const again = await askToQuote(eve, quoted, textIn(ofEve.note["id"]));
    assert.equal(again.type, "Accept");
    assert.notEqual(again.result, ofEve.id);
    assert.equal((await ask(ofEve.id)).status, 404);
  });

  test("the author of a post prevents blocked people from quoting the comments on it", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      stranger(),
    ];
    const post = await publish(ann);
    const comment = await bob.post<CommentRecord>(
      `/posts/${post.ID}/comments`,
      { comment: "indeed" },
    );
    const { handle } = eve;
    const { ID } = await ann.post<PersonRecord>("/search", { handle });
    await ann.post(`/people/${ID}/block`);
    await kith().settle();
    const quoted = objectOf(kith(), comment.Guid);
    assert.equal((await askToQuote(eve, quoted)).type, "Reject");
    assert.equal((await askToQuote(stranger(), quoted)).type, "Accept");
  });

  test("a silenced actor quotes only those who follow it", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      stranger(),
    ];
    await sendFollow(kith(), bob, eve);
    await decideOn(kith(), eve.handle, "silence");
    const [ofAnn, ofBob] = [await publish(ann), await publish(bob)];
    assert.equal((await askToQuote(eve, ofAnn.quoted)).type, "Reject");
    assert.equal((await askToQuote(eve, ofBob.quoted)).type, "Accept");
    await decideOn(kith(), eve.handle, "unsilence");
    assert.equal((await askToQuote(eve, ofAnn.quoted)).type, "Accept");
  });

  test("one quote has one leave however often it is asked for, and one actor few of them", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    const { Guid, quoted } = await publish(ann);
    const { note, id } = await leaveOf(eve, quoted);
    const again = await askToQuote(eve, quoted, textIn(note["id"]));
    assert.equal(again.result, id);
    const types = new Set<unknown>();
    let last: unknown;
    for (let more = 0; more < 21; more++) {
      last = (await askToQuote(eve, quoted)).type;
      types.add(last);
    }
    assert.deepEqual([...types], ["Accept", "Reject"]);
    assert.equal(last, "Reject");
    assert.equal((await askToQuote(stranger(), quoted)).type, "Accept");
    await ann.delete(`/posts/${Guid}`);
    await kith().settle();
    const { count } = await kith()
      .db.read.selectFrom("sent_activities")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("quoted_guid", "=", Guid)
      .executeTakeFirstOrThrow();
    assert.equal(Number(count), 0);
  });
});
