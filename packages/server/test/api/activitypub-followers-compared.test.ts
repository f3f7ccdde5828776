import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  followersDigest,
  synchronizationHeader,
  type JsonObject,
} from "@kith/activitypub";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import {
  actorOf,
  objectOf,
  sendFollow,
} from "../support/remote/linked-data.ts";
import {
  RemoteServer,
  type RemoteActor,
} from "../support/remote/remote-server.ts";
import { DAY_MS, HOUR_MS } from "../support/server/test-clock.ts";

const HEADER = "collection-synchronization";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let remote: RemoteServer;
  let other: RemoteServer;
  let names = 0;
  before(async () => {
    remote = await RemoteServer.start();
    other = await RemoteServer.start();
  });
  after(() => Promise.all([remote.close(), other.close()]));

  const actor = (person: TestPerson) => actorOf(kith(), person.username);
  const stranger = (): RemoteActor => remote.actor(`compared${++names}`);
  const follow = async (by: TestPerson, whom: RemoteActor, accepts = true) => {
    await sendFollow(kith(), by, whom);
    if (accepts) await whom.acceptFollow(kith());
  };
  const contactOf = async (person: TestPerson, whom: RemoteActor) => {
    const { features } = kith().server;
    const here = await features.people.find({ guid: person.record.Guid });
    const there = await features.people.find({ uri: whom.id });
    assert.ok(here?.userId && there);
    return features.contacts.find(here.userId, there.id);
  };
  const isAccepted = async (person: TestPerson, whom: RemoteActor) =>
    (await contactOf(person, whom))?.isConfirmed ?? false;

  const partOf = ({ id }: RemoteActor) => `${id}/followers_synchronization`;
  const lists = (whom: RemoteActor, ids: readonly string[]) => {
    const id = partOf(whom);
    const type = "OrderedCollection";
    remote.documents.set(id, { id, type, orderedItems: [...ids] });
  };
  const headerOf = (whom: RemoteActor, ids: readonly string[]) =>
    synchronizationHeader({
      collectionId: `${whom.id}/followers`,
      url: partOf(whom),
      digest: followersDigest(ids),
    });
  /** Says it with a Create for the followers, and lets a minute pass. */
  const says = async (
    whom: RemoteActor,
    header: string,
    signedHeaders?: string[],
  ) => {
    const to = [`${whom.id}/followers`];
    const create = whom.activity("Create", { to, object: whom.note({ to }) });
    await whom.deliver(kith(), create, {
      headers: { [HEADER]: header },
      ...(signedHeaders && { signedHeaders }),
    });
    kith().clock.advance(61_000);
    await kith().settle();
  };
  const countAsked = (whom: RemoteActor) => {
    const path = new URL(partOf(whom)).pathname;
    return remote.asked.filter((one) => one.path.startsWith(path)).length;
  };
  const undoneBy = (person: TestPerson, whom: RemoteActor) =>
    remote.ofType("Undo").filter(({ path, activity }) => {
      const object = activity["object"] as JsonObject;
      return (
        path === new URL(`${whom.id}/inbox`).pathname &&
        activity["actor"] === actor(person) &&
        object["type"] === "Follow" &&
        object["object"] === whom.id
      );
    }).length;

  test("an equal digest causes no fetch", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    await follow(ann, eve);
    await says(eve, headerOf(eve, [actor(ann)]));
    assert.equal(countAsked(eve), 0);
    assert.equal(await isAccepted(ann, eve), true);
  });

  test("a local person missing from the list is no longer accepted, without notification", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      stranger(),
    ];
    await follow(ann, eve);
    await follow(bob, eve);
    kith().clock.advance(1000);
    lists(eve, [actor(bob)]);
    const before = remote.delivered.length;
    await says(eve, headerOf(eve, [actor(bob)]));
    const by = remote.asked.findLast(({ path }) =>
      path.endsWith("_synchronization"),
    )?.keyId;
    assert.ok(by?.startsWith(`${kith().baseUrl}/`), "asked for without a key");
    assert.equal(await isAccepted(ann, eve), false);
    assert.equal(await isAccepted(bob, eve), true);
    assert.equal((await contactOf(ann, eve))?.following, true);
    assert.equal(remote.delivered.length, before);
    const { text } = await ann
      .get<{ text: string }>("/notifications")
      .then((notifications) => ({ text: JSON.stringify(notifications) }));
    assert.equal(text, "[]");
    await says(eve, headerOf(eve, [actor(bob)]));
    assert.equal(countAsked(eve), 1, "now both say the same");
  });

  test("a listed pending follow is accepted, and a listed person who does not follow sends an Undo", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      stranger(),
    ];
    await follow(ann, eve, false);
    kith().clock.advance(1000);
    const ids = [actor(ann), actor(bob), actorOf(kith(), "nobody")];
    lists(eve, ids);
    await says(eve, headerOf(eve, ids));
    assert.equal(await isAccepted(ann, eve), true);
    assert.equal(undoneBy(ann, eve), 0);
    assert.equal(undoneBy(bob, eve), 1);
  });

  test("a server that says something else for ever is asked once an hour, and of the same once a day", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      stranger(),
    ];
    await follow(ann, eve);
    const ids = [actor(ann), actor(bob)];
    lists(eve, ids);
    for (let round = 0; round < 20; round++)
      await says(eve, headerOf(eve, ids));
    assert.equal(countAsked(eve), 1);
    assert.equal(undoneBy(bob, eve), 1);
    for (let round = 0; round < 5; round++) {
      await says(eve, headerOf(eve, [`https://made.example/${round}`]));
      kith().clock.advance(13 * 60_000);
    }
    assert.ok(countAsked(eve) <= 3, `${countAsked(eve)} times`);
    assert.equal(
      await isAccepted(ann, eve),
      true,
      "it listed her all the time",
    );
    const asked = countAsked(eve);
    kith().clock.advance(DAY_MS);
    await says(eve, headerOf(eve, ids));
    assert.equal(countAsked(eve), asked + 1);
  });

  test("an unsigned header, or one with another collection or origin, is ignored", async () => {
    const [ann, eve, fay] = [await kith().person(), stranger(), stranger()];
    await follow(ann, eve);
    kith().clock.advance(1000);
    for (const whom of [eve, fay]) lists(whom, []);
    const least = ["(request-target)", "host", "date", "digest"];
    await says(eve, headerOf(eve, []), least);
    await says(eve, headerOf(fay, []));
    const there = other.actor("there");
    const asked = other.asked.length;
    const digest = followersDigest([]);
    const collectionId = `${eve.id}/followers`;
    for (const url of [partOf(there), objectOf(kith(), "x"), "/part"])
      await says(eve, synchronizationHeader({ collectionId, url, digest }));
    for (const wrong of ["", "digest", `${headerOf(eve, [])}, digest="00"`])
      await says(eve, wrong);
    assert.deepEqual([countAsked(eve), countAsked(fay)], [0, 0]);
    assert.equal(other.asked.length, asked);
    assert.equal(await isAccepted(ann, eve), true);
  });

  test("an incomplete list, or one with another digest, removes no one", async () => {
    const lies: [string, (eve: RemoteActor) => void][] = [
      ["gone", () => {}],
      ["another", (eve) => lists(eve, ["https://made.example/1"])],
      [
        "endless",
        (eve) => {
          for (let page = 0; page < 30; page++) {
            const id = page === 0 ? partOf(eve) : `${partOf(eve)}?page=${page}`;
            remote.documents.set(id, {
              id,
              type: "OrderedCollectionPage",
              orderedItems: [`https://made.example/${page}`],
              next: `${partOf(eve)}?page=${page + 1}`,
            });
          }
        },
      ],
      [
        "elsewhere",
        (eve) =>
          remote.documents.set(partOf(eve), {
            id: partOf(eve),
            type: "OrderedCollection",
            first: `${other.origin}/page`,
          }),
      ],
      [
        "a million",
        (eve) =>
          lists(
            eve,
            Array.from(
              { length: 20_000 },
              (_, at) => `https://m.example/${at}`,
            ),
          ),
      ],
    ];
    for (const [name, lie] of lies) {
      const [ann, eve] = [await kith().person(), stranger()];
      await follow(ann, eve);
      kith().clock.advance(1000);
      lie(eve);
      await says(eve, headerOf(eve, []));
      assert.ok(countAsked(eve) >= 1, name);
      assert.ok(countAsked(eve) <= 10, name);
      assert.equal(await isAccepted(ann, eve), true, name);
    }
    const page = "/page";
    assert.ok(!other.asked.some(({ path }) => path === page));
  });

  test("a server with many actors gets no more fetches and Undos than with one", async () => {
    const crowd = await RemoteServer.start();
    const server = remote;
    remote = crowd;
    try {
      for (let more = 0; more < 14; more++) {
        const eve = stranger();
        for (let page = 0; page < 12; page++) {
          const id = page === 0 ? partOf(eve) : `${partOf(eve)}?page=${page}`;
          crowd.documents.set(id, {
            id,
            type: "OrderedCollectionPage",
            orderedItems: [`https://made.example/${page}`],
            next: `${partOf(eve)}?page=${page + 1}`,
          });
        }
        const header = headerOf(eve, ["https://made.example/1"]);
        const create = eve.activity("Create", { object: eve.note() });
        await eve.deliver(kith(), create, { headers: { [HEADER]: header } });
      }
      kith().clock.advance(61_000);
      await kith().settle();
      const pages = crowd.asked.filter(({ path }) =>
        path.includes("_synchronization"),
      );
      assert.equal(pages.length, 120);
    } finally {
      remote = server;
      await crowd.close();
    }
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      stranger(),
    ];
    await follow(ann, eve);
    const { people, contacts } = kith().server.features;
    const there = await people.find({ uri: eve.id });
    assert.ok(there);
    kith().clock.advance(1000);
    let left = 0;
    await contacts.matchFollowers({
      personId: there.id,
      handles: new Set([ann.handle, bob.handle]),
      since: kith().clock.now().toISOString(),
      mayAnnounce: () => left-- > 0,
    });
    await kith().settle();
    assert.equal(undoneBy(bob, eve), 0);
  });

  test("a follower who came after the list was asked for stays", async () => {
    const [ann, eve] = [await kith().person(), stranger()];
    await follow(ann, eve);
    kith().clock.advance(1000);
    const { answers } = remote;
    const path = new URL(partOf(eve)).pathname;
    const document = { id: partOf(eve), type: "Collection", items: [] };
    const { features } = kith().server;
    const here = await features.people.find({ guid: ann.record.Guid });
    const there = await features.people.find({ uri: eve.id });
    assert.ok(here?.userId && there);
    const user = here.userId;
    answers.set(path, async (response) => {
      kith().clock.advance(1000);
      for (const accepted of [false, true])
        await features.contacts.receiveAnswer(user, there.id, accepted);
      response.writeHead(200, { "content-type": "application/activity+json" });
      response.end(JSON.stringify(document));
    });
    await says(eve, headerOf(eve, []));
    assert.equal(countAsked(eve), 1);
    assert.equal(await isAccepted(ann, eve), true);
    kith().clock.advance(25 * HOUR_MS);
    answers.delete(path);
    remote.documents.set(partOf(eve), document);
    await says(eve, headerOf(eve, []));
    assert.equal(await isAccepted(ann, eve), false);
  });
});
