import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  parseEntity,
  parseEnvelope,
  signMigration,
  verifyEnvelope,
  type AccountMigration,
} from "@kith/diaspora";
import { forEachDatabase } from "../../../../test/support/server/databases.ts";
import { MOVE } from "../../../features/moves/index.ts";
import type { MoveInProgress } from "../../../features/moves/index.ts";
import type { Person } from "../../../features/people/index.ts";
import { DELIVER } from "../../delivery/deliver.ts";
import { renderContact } from "../render/render-person.ts";
import { signMove } from "./migrations.ts";
import {
  assertDone,
  assertRefused,
  commentBy,
  publish,
  statusMessage,
} from "../entities.fixture.ts";
import {
  openHomeServer,
  type RemotePersonWithKey,
  type HomeServer,
} from "../../../../test/support/remote/home-server.ts";

forEachDatabase((kind) => {
  let home: HomeServer;
  let alice: Person;
  let count = 0;

  before(async () => {
    home = await openHomeServer(kind);
    alice = await home.signUp("alice");
  });
  after(() => home.close());

  const meetTwo = async () => {
    count += 1;
    const from = await home.remotePerson(`old${count}`);
    const to = await home.remotePerson(`new${count}`);
    return { from, to };
  };

  /** What the old one (or, with `by: "new"`, the new one) sends. */
  const migrationOf = async (
    from: { handle: string },
    to: { handle: string },
    signer: Parameters<typeof signMigration>[2],
    by: "old" | "new" = "old",
    more: Partial<AccountMigration> = {},
  ): Promise<AccountMigration> => ({
    type: "account_migration",
    author: by === "old" ? from.handle : to.handle,
    profile: {
      type: "profile",
      author: to.handle,
      firstName: "Moved",
      searchable: true,
      public: true,
      nsfw: false,
    },
    signature: await signMigration(from.handle, to.handle, signer),
    ...(by === "new" ? { oldIdentity: from.handle } : {}),
    ...more,
  });

  const find = async ({ id }: { id: Person["id"] }) =>
    (await home.features.people.find({ id })) ?? assert.fail();

  /** Does what the job does, to its end. */
  const applyMigration = async (
    { id }: { id: Person["id"] },
    photoPath: string | null = null,
  ) => {
    const from = await find({ id });
    const to = await find({ id: from.movedToId ?? assert.fail() });
    const move: MoveInProgress = { from, to, withContent: true, photoPath };
    for (const step of home.features.movingSteps)
      while (await step.run(move, 1));
  };

  const userOf = ({ id, userId }: Person) => ({
    personId: id,
    userId: userId ?? assert.fail(),
  });

  const follow = async (by: Person, other: RemotePersonWithKey) => {
    const { aspects } = home.features;
    const { userId, personId } = userOf(by);
    const { id } = await aspects.create(userId, `a${other.handle}`);
    await aspects.addPerson({ userId, personId }, id, other.person.id);
    return id;
  };

  const assertNotMoved = async ({ person }: RemotePersonWithKey) => {
    const now = await find(person);
    assert.deepEqual([now.state, now.movedToId], ["active", null]);
  };

  test("either identity may say so, the other one having signed, at both endpoints", async () => {
    for (const by of ["old", "new"] as const)
      for (const privately of [false, true]) {
        const { from, to } = await meetTwo();
        const [sender, signer] = by === "old" ? [from, to] : [to, from];
        const key = signer.privateKey;
        const migration = await migrationOf(from, to, key, by);
        const result = privately
          ? await home.receivePrivately(migration, sender, alice)
          : await home.receivePublicly(migration, sender);
        assertDone(result, "moved");
        const old = await find(from.person);
        assert.deepEqual([old.state, old.movedToId], ["closed", to.person.id]);
        assert.equal((await find(to.person)).profile.firstName, "Moved");
        const kept = await home.features.moves.findDocument(old.id);
        assert.equal(kept?.public, !privately);
        const opened = await verifyEnvelope(
          parseEnvelope(kept.text),
          (by === "old" ? from : to).person.publicKeyPem,
        );
        const entity = parseEntity(opened.payloadXml);
        assert.equal(entity.type, "account_migration");
      }
  });

  test("without the other one's signature nobody moves", async () => {
    const { from, to } = await meetTwo();
    const eve = await home.remotePerson(`eve${count}`);
    for (const by of ["old", "new"] as const) {
      const sender = by === "old" ? from : to;
      for (const key of [sender.privateKey, eve.privateKey]) {
        const migration = await migrationOf(from, to, key, by);
        assertRefused(await home.receivePublicly(migration, sender));
      }
      const signer = by === "old" ? to : from;
      const right = await migrationOf(from, to, signer.privateKey, by);
      const reversed = await signMigration(
        to.handle,
        from.handle,
        signer.privateKey,
      );
      const turned = { ...right, signature: reversed };
      assertRefused(await home.receivePublicly(turned, sender));
      const broken = { ...right, signature: "AAAA" };
      assertRefused(await home.receivePublicly(broken, sender));
      // Somebody else's handle: the envelope is not by one of the two.
      assertRefused(await home.receivePublicly(right, eve));
      // Eve takes what was signed for another, and puts herself into its place.
      const stolen = {
        ...right,
        profile: { ...right.profile, author: eve.handle },
      };
      assertRefused(await home.receivePublicly(stolen, sender));
    }
    await assertNotMoved(from);
  });

  test("a repetition changes nothing, and nobody is led away a second time or back", async () => {
    const { from, to } = await meetTwo();
    const third = await home.remotePerson(`third${count}`);
    const first = await migrationOf(from, to, from.privateKey, "new");
    assertDone(await home.receivePublicly(first, to), "moved");
    const jobs = async () =>
      (
        await home.deps.db.read
          .selectFrom("jobs")
          .select("id")
          .where("kind", "=", MOVE.name)
          .execute()
      ).length;
    const before = await jobs();
    assertDone(await home.receivePublicly(first, to), "known");
    const again = await migrationOf(from, third, from.privateKey, "new");
    assertRefused(await home.receivePublicly(again, third));
    const back = await migrationOf(to, from, from.privateKey);
    assertRefused(await home.receivePublicly(back, to));
    const chained = await migrationOf(third, from, from.privateKey);
    assertRefused(await home.receivePublicly(chained, third));
    assert.equal(await jobs(), before);
    assert.equal((await find(from.person)).movedToId, to.person.id);
    await assertNotMoved(to);
    await assertNotMoved(third);
  });

  test("a signer who cannot be found is waited for", async () => {
    const { from, to } = await meetTwo();
    const unknown = { handle: "nobody@far.example" };
    const migration = await migrationOf(from, unknown, to.privateKey);
    const result = await home.receivePublicly(migration, from);
    assert.equal(result.kind, "wait");
    await assertNotMoved(from);
  });

  test("nobody becomes somebody here who has not agreed, and who has does", async () => {
    const { from } = await meetTwo();
    const forged = await migrationOf(from, alice, from.privateKey);
    assertRefused(await home.receivePublicly(forged, from));
    const nobody = { handle: "nobody@home.example" };
    const toNobody = await migrationOf(from, nobody, from.privateKey);
    const result = await home.receivePublicly(toNobody, from);
    assert.equal(result.kind, "wait");
    await assertNotMoved(from);
    const to = await home.signUp(`newcomer${count}`);
    const agreed = { from: from.person, to };
    const signature = await signMove(home.deps, agreed, to);
    const migration = { ...forged, signature };
    const right = {
      ...migration,
      profile: { ...migration.profile, author: to.handle },
    };
    assertDone(await home.receivePublicly(right, from), "moved");
    assert.equal((await find(to)).profile.firstName, "", "it says so itself");
  });

  test("everything is the new one's, in the same aspects, seen by the same people", async () => {
    const { comments, contacts, photos, posts, aspects } = home.features;
    const { from, to } = await meetTwo();
    const reader = await home.signUp(`reader${count}`);
    const stranger = await home.signUp(`stranger${count}`);
    const aspectId = await follow(reader, from);
    await home.receivePrivately(
      renderContact(from.person, reader, true),
      from,
      reader,
    );
    const open = {
      ...statusMessage(from),
      photos: [
        {
          type: "photo" as const,
          author: from.handle,
          guid: `${"f".repeat(30)}${String(count).padStart(2, "0")}`,
          createdAt: "2020-02-03T04:05:06Z",
          public: true,
          remotePhotoPath: "https://old.example/uploads/",
          remotePhotoName: "one.jpg",
          width: 10,
          height: 10,
        },
      ],
    };
    const limited = { ...statusMessage(from), public: false };
    await home.receivePublicly(open, from);
    await home.receivePrivately(limited, from, reader);
    const mine = await publish(home, reader);
    const comment = await commentBy(from, mine.guid);
    await home.receivePublicly(comment, from);
    const path = "https://new.example/uploads/images";
    const migration = await migrationOf(from, to, to.privateKey, "old", {
      remotePhotoPath: path,
    });
    assertDone(await home.receivePublicly(migration, from), "moved");
    // Over again, as after a crash.
    await applyMigration(from.person, `${path}/`);
    await applyMigration(from.person, `${path}/`);
    for (const { guid } of [open, limited]) {
      const post = (await posts.find({ guid })) ?? assert.fail();
      assert.equal(post.personId, to.person.id);
      assert.ok(await posts.findVisible({ guid }, userOf(reader)));
    }
    const hidden = { guid: limited.guid };
    assert.equal(await posts.findVisible(hidden, userOf(stranger)), undefined);
    assert.equal(await posts.findVisible(hidden, null), undefined);
    const stored = (await posts.find({ guid: open.guid })) ?? assert.fail();
    const [photo] = (await photos.listOf([stored.id])).get(stored.id) ?? [];
    assert.equal(photo && photos.urlOf(photo), `${path}/one.jpg`);
    const said = await comments.find({ guid: comment.guid });
    assert.equal(said?.personId, to.person.id);
    const { userId } = userOf(reader);
    const held = await aspects.listHolding(userId, to.person.id);
    assert.deepEqual(
      held.map(({ id }) => id),
      [aspectId],
    );
    assert.deepEqual(await aspects.listHolding(userId, from.person.id), []);
    const contact = await contacts.find(userId, to.person.id);
    assert.deepEqual([contact?.following, contact?.sharing], [true, true]);
    const former = await contacts.find(userId, from.person.id);
    assert.deepEqual([former?.following, former?.sharing], [false, false]);
  });

  test("a person with both contacts keeps the new one once, and of two likes one stays", async () => {
    const { likes, contacts, aspects } = home.features;
    const { from, to } = await meetTwo();
    const reader = await home.signUp(`both${count}`);
    const one = await follow(reader, from);
    const two = await follow(reader, to);
    const { userId, personId } = userOf(reader);
    await aspects.addPerson({ userId, personId }, one, to.person.id);
    const post = await publish(home, reader);
    for (const { person } of [from, to])
      await likes.receive({
        guid: `${person.guid.slice(0, 20)}like`,
        postId: post.id,
        commentId: null,
        personId: person.id,
        positive: true,
        uri: null,
      });
    const migration = await migrationOf(from, to, to.privateKey);
    assertDone(await home.receivePublicly(migration, from), "moved");
    await applyMigration(from.person);
    const held = await aspects.listHolding(userId, to.person.id);
    assert.deepEqual(
      held.map(({ id, memberships }) => [id, memberships.length]),
      [
        [one, 1],
        [two, 1],
      ],
    );
    assert.equal((await contacts.find(userId, to.person.id))?.following, true);
    const rows = await home.deps.db.read
      .selectFrom("likes")
      .select("person_id")
      .where("post_id", "=", post.id)
      .where("person_id", "=", to.person.id)
      .execute();
    assert.equal(rows.length, 1);
  });

  test("nobody escapes a block or an ignoring by moving, and keeps its own", async () => {
    const { blocks, contacts, posts } = home.features;
    const { from, to } = await meetTwo();
    const blocker = await home.signUp(`blocker${count}`);
    const bored = await home.signUp(`bored${count}`);
    const shunned = await home.signUp(`shunned${count}`);
    await follow(blocker, to);
    await blocks.block(userOf(blocker), from.person.id);
    await blocks.ignore(userOf(bored), from.person.id);
    const share = renderContact(from.person, shunned, false);
    const block = { ...share, blocking: true };
    assertDone(await home.receivePrivately(block, from, shunned), "blocked");
    const message = statusMessage(from);
    await home.receivePublicly(message, from);
    const migration = await migrationOf(from, to, to.privateKey);
    assertDone(await home.receivePublicly(migration, from), "moved");
    await applyMigration(from.person);
    const page = { offset: 0, limit: 10 };
    const listed = await blocks.list(blocker.id, page);
    assert.ok(listed.some(({ person }) => person.id === to.person.id));
    const ignored = await blocks.listIgnored(bored.id, page);
    assert.ok(ignored.some(({ person }) => person.id === to.person.id));
    const contact = await contacts.find(userOf(blocker).userId, to.person.id);
    assert.equal(contact?.following, false);
    const { guid } = message;
    assert.equal(
      await posts.findVisible({ guid }, userOf(shunned)),
      undefined,
      "what the new one has is closed to whom the old one blocked",
    );
    const again = renderContact(to.person, blocker, true);
    assertRefused(await home.receivePrivately(again, to, blocker));
  });

  test("an account that moves away is closed, and later senders are notified again", async () => {
    count += 1;
    const leaver = await home.signUp(`leaver${count}`);
    const friend = await home.signUp(`friend${count}`);
    const to = await home.remotePerson(`away${count}`);
    const late = await home.remotePerson(`late${count}`);
    const post = await publish(home, leaver);
    const signature = await signMove(
      home.deps,
      { from: leaver, to: to.person },
      leaver,
    );
    const migration = {
      ...(await migrationOf(leaver, to, to.privateKey, "new")),
      signature,
    };
    assertDone(await home.receivePublicly(migration, to), "moved");
    await applyMigration(leaver);
    assert.equal((await find(leaver)).state, "closed");
    const { accounts, posts } = home.features;
    const signIn = await accounts.signIn(`leaver${count}`, "correct horse");
    assert.equal(signIn, undefined);
    assert.equal(
      (await posts.find({ guid: post.guid }))?.personId,
      to.person.id,
    );
    assert.ok(await posts.findVisible({ guid: post.guid }, userOf(friend)));
    const contact = renderContact(late.person, leaver, true);
    const reason = "the recipient is gone, and the sender is told";
    assertDone(await home.receivePrivately(contact, late, leaver), reason);
    const sent = await listSent();
    assert.deepEqual(
      sent.map(({ url }) => url),
      [
        `https://late${count}.example/receive/public`,
        `https://late${count}.example/receive/users/${late.person.guid}`,
      ],
    );
    const { payloadXml } = await verifyEnvelope(
      parseEnvelope(sent[0]?.body ?? ""),
      to.person.publicKeyPem,
    );
    assert.equal(parseEntity(payloadXml).type, "account_migration");
    // Two servers do not notify each other for ever.
    const { from, to: next } = await meetTwo();
    const other = await migrationOf(from, next, next.privateKey);
    assertDone(
      await home.receivePrivately(other, from, leaver),
      "the recipient is gone",
    );
    assert.equal((await listSent()).length, 2);
  });

  test("senders to an account that has been deleted are notified of that, too", async () => {
    count += 1;
    const leaver = await home.signUp(`gone${count}`);
    const late = await home.remotePerson(`tardy${count}`);
    const username = `gone${count}`;
    const user = { ...userOf(leaver), username, role: "user" as const };
    await home.features.leaving.leave(user, "correct horse");
    const before = (await listSent()).length;
    const contact = renderContact(late.person, leaver, true);
    await home.receivePrivately(contact, late, leaver);
    const [sent, ...more] = (await listSent()).slice(before);
    assert.deepEqual(more, []);
    assert.equal(sent?.url, `https://tardy${count}.example/receive/public`);
    const { payloadXml } = await verifyEnvelope(
      parseEnvelope(sent.body),
      leaver.publicKeyPem,
    );
    assert.equal(parseEntity(payloadXml).type, "account_deletion");
  });

  async function listSent(): Promise<{ url: string; body: string }[]> {
    const rows = await home.deps.db.read
      .selectFrom("jobs")
      .innerJoin("job_documents", "job_documents.id", "jobs.document_id")
      .select(["jobs.payload", "job_documents.body"])
      .where("jobs.kind", "=", DELIVER.name)
      .orderBy("jobs.id")
      .execute();
    return rows.map(({ payload, body }) => ({
      url: (JSON.parse(payload) as { url: string }).url,
      body,
    }));
  }
});
