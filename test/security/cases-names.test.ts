import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonValue } from "@kith/activitypub";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { actorOf } from "../../packages/server/test/support/remote/linked-data.ts";
import type { RemoteActor } from "../../packages/server/test/support/remote/remote-server.ts";
import { create, FOR_ALL, serve, useCaseServers } from "./case-town.ts";

forEachDatabase((kind) => {
  const town = useCaseServers(kind);
  const { kith, ann, good, evil, honest, mallory, followed } = town;
  const find = (actorUri: string) =>
    kith().server.features.people.find({ uri: actorUri });

  test("case 12: no value for an author makes a local person one", async () => {
    const eve = await followed(mallory());
    const { record, username, handle } = ann();
    const mine = await ann().post<{ Guid: string }>("/posts", { post: "mine" });
    const values: readonly JsonValue[] = [
      ...[0, 1, -1, 1.5, true, false, null, "", " ", "1", "ann", handle],
      ...[`acct:${handle}`, `urn:uuid:${record.Guid}`, "did:web:localhost"],
      ...[[], {}, [[]], [1], [null], { id: 1 }, { id: null }, [{ id: 1 }]],
      ...[record.ID, String(record.ID), record.Guid, `/people/${record.ID}`],
      actorOf(kith(), username),
      { id: actorOf(kith(), username) },
      [actorOf(kith(), username), eve.id],
      `${actorOf(kith(), username)}#main-key`,
      `${kith().baseUrl}/people/${record.Guid}`,
      "javascript:alert(1)",
      "https://",
    ];
    const byPeopleHere = async () => {
      const of = (table: "posts" | "comments" | "likes") =>
        kith()
          .db.read.selectFrom(table)
          .innerJoin("people", "people.id", `${table}.person_id`)
          .select(`${table}.id`)
          .where("people.user_id", "is not", null)
          .execute();
      return [await of("posts"), await of("comments"), await of("likes")];
    };
    const before = await byPeopleHere();
    for (const value of values)
      for (const said of saidBy(eve, value, mine.Guid)) {
        const { status } = await eve.send(kith(), said);
        assert.ok(status < 500, `${status} ${JSON.stringify(value)}`);
      }
    await kith().settle();
    assert.deepEqual(await byPeopleHere(), before);
  });

  /** One value in each member that names a person or an object. */
  function saidBy(by: RemoteActor, value: JsonValue, guid: string) {
    const object = `${kith().baseUrl}/api/v1/ap/object/${guid}`;
    return [
      create(by, by.note({ attributedTo: value })),
      create(by, by.note({ inReplyTo: value })),
      create(by, by.note({ attributedTo: value, inReplyTo: object })),
      { ...create(by, by.note({ attributedTo: value })), actor: value },
      { ...by.activity("Like", { object }), actor: value },
      by.activity("Delete", { object: value }),
      by.activity("Undo", { object: value }),
      by.activity("Announce", { ...FOR_ALL, object: value }),
    ];
  }

  test("case 15: a handle must be confirmed by its host, and has one spelling", async () => {
    const alice = honest();
    const [goodHost, evilHost] = [good(), evil()].map(
      ({ origin }) => new URL(origin).host,
    );
    const type = "application/activity+json";
    const search = (handle: string) =>
      ann().call("POST", "/search", { form: { handle } });
    // The evil server claims her handle for its own actor, and her actor for its handle.
    const thief = mallory();
    const claims = [
      { subject: `acct:${alice.name}@${goodHost}`, href: thief.id },
      { subject: `acct:thief@${evilHost}`, href: alice.id },
    ];
    for (const { subject, href } of claims) {
      const jrd = { subject, links: [{ rel: "self", type, href }] };
      const at = `${evil().origin}/.well-known/webfinger`;
      serve(evil(), jrd, at, "application/jrd+json");
      await search(`thief@${evilHost}`);
    }
    evil().answers.delete("/.well-known/webfinger");
    const known = await find(alice.id);
    assert.ok(!known || known.handle === alice.handle);
    assert.equal(await find(thief.id), undefined);
    const spellings = [
      alice.handle,
      alice.handle.toUpperCase(),
      `acct:${alice.handle}`,
      `@${alice.handle}`,
      alice.handle.replace(".localhost", ".LOCALHOST."),
      alice.handle.replace("good", "ｇｏｏｄ"),
    ];
    const ids = new Set<number>();
    for (const spelling of spellings) {
      const { status, text } = await search(spelling);
      assert.equal(status, 200, spelling);
      ids.add((JSON.parse(text) as { ID: number }).ID);
    }
    assert.equal(ids.size, 1);
  });
});
