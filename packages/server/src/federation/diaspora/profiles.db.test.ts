import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signMigration, type Profile } from "@kith/diaspora";
import { forEachDatabase } from "../../../test/support/server/databases.ts";
import type { Person } from "../../features/people/index.ts";
import { timestamp } from "../../lib/time/clock.ts";
import { createDiasporaInbound } from "./handle-inbound.ts";
import { assertDone, statusMessage } from "./entities.fixture.ts";
import {
  openHomeServer,
  seal,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../test/support/remote/home-server.ts";
import { wireTime } from "./render/wire-values.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let bob: RemotePersonWithKey;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
    bob = await home.remotePerson("bob");
  });
  after(() => home.close());

  const profileOf = (
    by: RemotePersonWithKey,
    more: Partial<Profile> = {},
  ): Profile => ({
    type: "profile",
    author: by.handle,
    firstName: by.person.handle,
    searchable: true,
    public: true,
    nsfw: false,
    ...more,
  });
  const find = async ({ person }: RemotePersonWithKey) =>
    (await home.features.people.find({ id: person.id }))?.profile ??
    assert.fail();

  test("one from the future is of now, so that the next one counts", async () => {
    const future = profileOf(bob, {
      firstName: "Future",
      editedAt: "2999-01-01T00:00:00Z",
    });
    assertDone(await home.receivePublicly(future, bob), "profile updated");
    const editedAt = wireTime(timestamp(new Date(Date.now() + 2000)));
    const next = profileOf(bob, { firstName: "Next", editedAt });
    assertDone(await home.receivePublicly(next, bob), "profile updated");
    assert.equal((await find(bob)).firstName, "Next");
  });

  test("is said to be updated where something of it is new", async () => {
    const cid = await home.remotePerson("cid");
    const say = (more: Partial<Profile>) =>
      home.receivePublicly(profileOf(cid, more), cid);
    const [first, second] = ["2024-01-01T00:00:00Z", "2024-01-02T00:00:00Z"];
    assertDone(await say({ editedAt: second }), "profile updated");
    assertDone(await say({ editedAt: second }), "known");
    assertDone(await say({ editedAt: first, firstName: "Old" }), "known");
    assert.notEqual((await find(cid)).firstName, "Old");
  });

  test("a move that comes to one person leaves what contacts may see", async () => {
    const from = await home.remotePerson("from");
    const to = await home.remotePerson("to");
    const details = { public: false, bio: "for friends", location: "Here" };
    await home.receivePrivately(profileOf(to, details), to, alice);
    const migration = {
      type: "account_migration" as const,
      author: from.handle,
      profile: profileOf(to, { public: false }),
      signature: await signMigration(from.handle, to.handle, to.privateKey),
    };
    assertDone(await home.receivePrivately(migration, from, alice), "moved");
    const { bio, location } = await find(to);
    assert.deepEqual([bio, location], ["for friends", "Here"]);
  });

  test("an envelope that is sent again shows no server to be up", async () => {
    const origins: string[] = [];
    const { inbound } = home.deps;
    const noteVerified = async (origin: string) => {
      origins.push(origin);
    };
    const handle = createDiasporaInbound({
      ...home.deps,
      inbound: { ...inbound, noteVerified },
    });
    const body = Buffer.from(await seal(statusMessage(bob), bob));
    for (const _ of [1, 2])
      for (const verified of [true, false])
        await handle(
          {
            id: 1,
            protocol: "diaspora",
            sender: bob.handle,
            recipientUserId: null,
            verified,
            body,
            receivedAt: "2026-01-01T00:00:00.000Z",
          },
          1,
        );
    assert.deepEqual(origins, ["https://bob.example"]);
  });
});
