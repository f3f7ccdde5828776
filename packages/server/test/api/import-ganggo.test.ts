import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ServerImportReport } from "../../src/features/server-imports/index.ts";
import {
  createGanggo,
  type GanggoDatabase,
} from "../support/imports/ganggo-database.ts";
import {
  fillGanggo,
  ganggoGuid,
  GANGGO_PASSWORD,
} from "../support/imports/ganggo-town.ts";
import type { ApiClient } from "../support/server/api-client.ts";
import {
  createTestDatabase,
  forEachDatabase,
} from "../support/server/databases.ts";
import { useKith } from "../support/server/kith-server.ts";
import type {
  AspectRecord,
  CommentRecord,
  IssuedTokenRecord,
  LikeRecord,
  PersonRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);
  let ganggo: GanggoDatabase;
  before(async () => {
    ganggo = await createGanggo(kind);
  });
  after(() => ganggo.remove());

  const run = (isRehearsal = false) =>
    kith().server.serverImports.runGanggo({ place: ganggo.place, isRehearsal });

  const countsOf = (report: ServerImportReport) =>
    Object.fromEntries(
      report.map(({ kind: of, added, known, leftOut }) => [
        of,
        [
          ...[added, known],
          Object.fromEntries(
            leftOut.map(({ reason, count }) => [reason, count]),
          ),
        ],
      ]),
    );

  const signIn = async (username: string): Promise<ApiClient> => {
    const { token } = await kith().anonymous.post<IssuedTokenRecord>(
      "/oauth/tokens",
      {
        ...{ grant_type: "password", username, client_id: "test" },
        password: GANGGO_PASSWORD,
      },
    );
    return kith().anonymous.with(token);
  };

  const hashOf = async (username: string) => {
    const { password_hash: hash } = await kith()
      .db.read.selectFrom("users")
      .select("password_hash")
      .where("username", "=", username)
      .executeTakeFirstOrThrow();
    return hash;
  };

  const mayRead = async (reader: ApiClient, name: string) =>
    (await reader.call("GET", `/posts/${ganggoGuid(name)}`)).status === 200;

  test("another database and another domain are refused, and nothing is written", async () => {
    const empty = await createTestDatabase(kind);
    const { location } = empty;
    const place = location.kind === "sqlite" ? location.file : location.url;
    const { serverImports } = kith().server;
    const refused = (at: string, reason: RegExp) =>
      assert.rejects(
        serverImports.runGanggo({ place: at, isRehearsal: false }),
        reason,
      );
    await refused("/no/such/file", /There is no file/);
    await refused(import.meta.filename, /cannot be read/);
    if (kind === "postgres") await refused(place, /lacks aspect_memberships/);
    await empty.remove();
    const other = await createGanggo(kind);
    await fillGanggo(other, "other.example");
    await refused(other.place, /of other\.example, elsewhere\.example/);
    await other.remove();
  });

  test("a rehearsal counts all of it and writes nothing", async () => {
    await fillGanggo(ganggo, kith().host);
    const before = await kith().snapshot();
    const counts = countsOf(await run(true));
    assert.deepEqual(await kith().snapshot(), before);
    assert.deepEqual(counts, EXPECTED);
  });

  test("it comes as the rehearsal said, and notifies nobody", async () => {
    const jobs = () =>
      kith()
        .db.read.selectFrom("jobs")
        .select("kind")
        .orderBy("kind")
        .execute();
    const before = await jobs();
    assert.deepEqual(countsOf(await run()), EXPECTED);
    assert.deepEqual(await jobs(), before, "no job follows");
    const notified = await kith()
      .db.read.selectFrom("notifications")
      .selectAll()
      .execute();
    assert.deepEqual(notified, []);
  });

  test("the accounts keep names, Guids, keys and passwords", async () => {
    assert.match(await hashOf("alice"), /^\$2/);
    const wrong = await kith().anonymous.call("POST", "/oauth/tokens", {
      form: {
        ...{ grant_type: "password", username: "alice", client_id: "test" },
        password: "not it",
      },
    });
    assert.equal(wrong.status, 401);
    assert.match(await hashOf("alice"), /^\$2/);
    const alice = await signIn("alice");
    assert.match(await hashOf("alice"), /^\$argon2id\$/);
    assert.match(await hashOf("bob"), /^\$2/);
    const again = await signIn("alice");
    const handle = `alice@${kith().host}`;
    const record = await again.post<PersonRecord>("/search", { handle });
    assert.equal(record.Guid, ganggoGuid("Alice"));
    assert.equal(record.Author, handle);
    assert.equal(record.Profile.FullName, "Alice Ahorn");
    const { accounts } = kith().server.features;
    const account = await accounts.find("alice");
    assert.ok(account);
    assert.equal(account.locale, "de");
    assert.equal(account.createdAt, "2017-12-24T18:00:00.000Z");
    const key = await accounts.getPrivateKey(account.id);
    const { publicKey } = await import("node:crypto").then((crypto) => ({
      publicKey: crypto.createPublicKey(key),
    }));
    assert.equal(
      String(publicKey.export({ type: "spki", format: "pem" })).trim(),
      record.SerializedPublicKey.trim(),
    );
    for (const name of ["gone", "news", "wrongkey", "abroad"])
      assert.equal(await accounts.find(name), undefined, name);
    const aspects = await alice.get<AspectRecord[]>("/aspects");
    assert.deepEqual(
      aspects.map(({ Name, Memberships }) => [Name, Memberships.length]).sort(),
      [
        ["Friends", 3],
        ["Work", 0],
      ],
    );
  });

  test("posts keep their dates, and a limited one reaches nobody else", async () => {
    const alice = await signIn("alice");
    const bob = await signIn("bob");
    const eve = await kith().person();
    const read = await eve.get<PostRecord>(`/posts/${ganggoGuid("post1")}`);
    assert.equal(read.CreatedAt, "2018-03-01T07:30:00.123Z");
    assert.equal(read.CommentsCount, 1);
    assert.equal(read.LikesCount, 1);
    const readersOf = async (name: string) => [
      await mayRead(alice, name),
      await mayRead(bob, name),
      await mayRead(eve, name),
    ];
    assert.deepEqual(await readersOf("post2"), [true, true, false]);
    assert.deepEqual(await readersOf("post3"), [true, false, false]);
    assert.deepEqual(await readersOf("post7"), [true, false, false]);
    assert.deepEqual(await readersOf("post11"), [false, false, false]);
    const { posts, people } = kith().server.features;
    const limited = await posts.find({ guid: ganggoGuid("post2") });
    assert.ok(limited);
    const recipients = await people.listById(
      await posts.listRecipientIds(limited.id),
    );
    assert.deepEqual(
      [...recipients.values()].map(({ handle }) => handle).sort(),
      [`bob@${kith().host}`, "carol@pod.example"],
    );
    assert.deepEqual(
      limited.aspects.map(({ name }) => name),
      ["Friends"],
    );
    const reshare = await eve.get<PostRecord>(`/posts/${ganggoGuid("post6")}`);
    assert.equal(reshare.Root?.Text, "of carol, reshared by alice");
    assert.equal(reshare.Root?.Photos[0]?.Text, "a pond");
    const comments = await bob.get<CommentRecord[]>(
      `/posts/${ganggoGuid("post2")}/comments`,
    );
    assert.deepEqual(
      comments.map(({ Text }) => Text),
      ["bob among friends"],
    );
    const likes = await eve.get<LikeRecord[]>(
      `/posts/${ganggoGuid("post5")}/likes`,
    );
    assert.deepEqual(
      likes.map(({ Positive }) => Positive),
      [false],
    );
    const home = await alice.get<PostRecord[]>("/posts", { visibility: 0 });
    assert.ok(Array.isArray(home));
  });

  test("contacts are there on both sides, with the key of the pod", async () => {
    const { accounts, contacts, people } = kith().server.features;
    const [alice, bob] = [
      await accounts.find("alice"),
      await accounts.find("bob"),
    ];
    assert.ok(alice && bob);
    const contactOf = async (userId: typeof alice.id, handle: string) => {
      const person = await people.find({ handle });
      assert.ok(person, handle);
      const contact = await contacts.find(userId, person.id);
      return [contact?.following ?? false, contact?.sharing ?? false];
    };
    const carol = "carol@pod.example";
    assert.deepEqual(await contactOf(alice.id, carol), [true, true]);
    assert.deepEqual(await contactOf(alice.id, `bob@${kith().host}`), [
      true,
      false,
    ]);
    assert.deepEqual(await contactOf(bob.id, `alice@${kith().host}`), [
      false,
      true,
    ]);
    assert.deepEqual(await contactOf(bob.id, carol), [false, false]);
    const found = await people.find({ handle: carol });
    assert.equal(found?.guid, ganggoGuid("carol"));
    assert.equal(found.hasDiasporaKey, true);
    assert.equal(found.protocol, "diaspora");
  });

  test("begun again it adds nothing, also not what was removed here", async () => {
    const alice = await signIn("alice");
    await alice.delete(`/posts/${ganggoGuid("post1")}`);
    const aspects = await alice.get<AspectRecord[]>("/aspects");
    const work = aspects.find(({ Name }) => Name === "Work");
    await alice.delete(`/aspects/${work?.ID}`);
    // A session is what notes that somebody was here.
    const account = await kith().server.features.accounts.find("alice");
    assert.ok(account);
    await kith().server.features.accounts.noteSeen(account.id);
    await kith().settle();
    const before = await kith().snapshot();
    const report = await run();
    assert.deepEqual(await kith().snapshot(), before);
    assert.ok(
      report.every(({ added, kind: of }) => added === 0 || of === "picture"),
    );
    const { follow } = countsOf(report);
    assert.deepEqual(follow, [0, 0, { person: 1, used: 3 }]);
  });
});

forEachDatabase((kind) => {
  const kith = useKith(kind);

  test("an import that ends anywhere is begun again, and nothing comes twice", async () => {
    const ganggo = await createGanggo(kind);
    await fillGanggo(ganggo, kith().host);
    const { place } = ganggo;
    const { serverImports } = kith().server;
    const sums = new Map<string, number>();
    for (const end of [3, 8, 14, 19, 24, 29, Infinity]) {
      let report: ServerImportReport = [];
      const running = serverImports.runGanggo({
        ...{ place, isRehearsal: false },
        onProgress: (done) => {
          if (done === end) throw new Error("killed");
        },
      });
      if (end < Infinity) await assert.rejects(running, /killed/);
      else report = await running;
      for (const { kind: of, added, known } of report)
        sums.set(of, added + known);
    }
    for (const [of, [added]] of Object.entries(EXPECTED))
      // Of posts that are here neither pictures nor audiences are read again.
      if (of !== "picture" && of !== "narrowed")
        assert.equal(sums.get(of), added, of);
    const count = async (table: "comments" | "likes" | "posts" | "users") =>
      (await kith().db.read.selectFrom(table).selectAll().execute()).length;
    assert.deepEqual(
      [await count("users"), await count("posts")],
      [2, EXPECTED.post[0] + EXPECTED.reshare[0]],
    );
    assert.deepEqual([await count("comments"), await count("likes")], [3, 3]);
    await ganggo.remove();
  });
});

/** Added, known, and left out by reason. */
const EXPECTED = {
  account: [2, 0, { closed: 1, name: 1, keys: 1, other_host: 1 }],
  aspect: [3, 0, {}],
  person: [2, 0, { other_protocol: 1 }],
  follow: [3, 0, { other_protocol: 1 }],
  follower: [1, 0, { other_protocol: 1 }],
  post: [5, 0, { empty: 1, person: 1 }],
  narrowed: [1, 0, {}],
  picture: [1, 0, {}],
  reshare: [1, 0, { author: 1, target: 1 }],
  comment: [3, 0, { other_protocol: 1, target: 1 }],
  like: [3, 0, {}],
  tag: [1, 0, {}],
  stream: [1, 0, {}],
} satisfies Record<string, [number, number, Record<string, number>]>;
