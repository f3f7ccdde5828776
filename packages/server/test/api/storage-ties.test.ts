import assert from "node:assert/strict";
import { test } from "node:test";
import { storeJson } from "../../src/db/schema/columns/json-text.ts";
import { runStorageCommand } from "../../src/cli/commands/storage/storage-commands.ts";
import { UsageError } from "../../src/cli/usage.ts";
import type { FreedByRule } from "../../src/features/storage/index.ts";
import { listTies } from "../../src/features/storage/post-conditions.ts";
import { newGuid } from "../../src/lib/guids.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { DAY_MS } from "../support/server/test-clock.ts";
import type { PostRecord } from "../support/server/wire.ts";
import { remotePost } from "../support/remote/remote-people.ts";
import {
  commentOn,
  fillThread,
  receive,
  remoteThread,
  type RemoteThread,
} from "../support/storage/remote-thread.ts";
import { compareDumps, dumpTables } from "../support/storage/table-dump.ts";

const OLD = "2026-01-05T00:00:00.000Z";
const TIMES = { created_at: OLD, updated_at: OLD };

forEachDatabase((kind) => {
  const kith = useKith(kind, {
    env: { KITH_REMOTE_POST_DAYS: "90", KITH_FOLLOWED_POST_DAYS: "200" },
  });
  const clean = () => kith().server.storage.clean({ pauseMs: 0 });

  const isHere = async ({ id }: Pick<RemoteThread, "id">) =>
    (await kith().server.features.posts.find({ id })) !== undefined;

  type Tie = (thread: RemoteThread, who: TestPerson) => Promise<unknown>;

  const rowOf =
    (table: "hidden_posts" | "muted_posts"): Tie =>
    (thread, who) =>
      kith().db.transaction((tx) =>
        tx
          .insertInto(table)
          .values({ user_id: who.record.UserID, post_id: thread.id })
          .execute(),
      );
  const notify = (
    guid: string,
    type: "Comment" | "Like" | "Post",
    thread: RemoteThread,
    who: TestPerson,
  ) =>
    kith().db.transaction((tx) =>
      tx
        .insertInto("notifications")
        .values({
          ...{ user_id: who.record.UserID, person_id: thread.author.id },
          ...({ reason: "mention", shareable_type: type } as const),
          ...{ shareable_guid: guid, unread: false, ...TIMES },
        })
        .execute(),
    );
  const report = (guid: string) =>
    kith().db.transaction((tx) =>
      tx
        .insertInto("reports")
        .values({
          ...{ guid: newGuid(), host: "", objects: storeJson([]), text: "" },
          ...{ target_kind: "post", target_guid: guid, created_at: OLD },
        })
        .execute(),
    );
  const set = (id: RemoteThread["id"], values: object) =>
    kith().db.transaction((tx) =>
      tx.updateTable("posts").set(values).where("id", "=", id).execute(),
    );
  const personRow =
    (table: "post_recipients" | "post_subscribers" | "text_mentions"): Tie =>
    (thread, who) =>
      kith().db.transaction((tx) =>
        tx
          .insertInto(table)
          .values({ post_id: thread.id, person_id: who.record.ID })
          .execute(),
      );

  /** One row of each kind, and nothing beside it. */
  const TIES: Record<keyof ReturnType<typeof listTies>, Tie> = {
    limited: (thread) => set(thread.id, { public: false }),
    addressed: personRow("post_recipients"),
    pinned: (thread) => set(thread.id, { pinned_at: OLD }),
    withEvent: (thread) => set(thread.id, { event_id: 1 }),
    subscribed: personRow("post_subscribers"),
    commented: (thread, who) =>
      commentOn(kith(), { id: thread.id, reader: { id: who.record.ID } }, OLD),
    goingOn: (thread) =>
      commentOn(
        kith(),
        thread,
        new Date(kith().clock.now().getTime() - 30 * DAY_MS).toISOString(),
      ),
    liked: (thread, who) =>
      kith().db.transaction((tx) =>
        tx
          .insertInto("likes")
          .values({
            ...({ guid: newGuid(), shareable_type: "Post" } as const),
            ...{ shareable_id: thread.id, post_id: thread.id },
            ...{ comment_id: null, person_id: who.record.ID },
            ...{ positive: true, uri: null, ...TIMES },
          })
          .execute(),
      ),
    reactedTo: (thread, who) =>
      kith().db.transaction((tx) =>
        tx
          .insertInto("reactions")
          .values({
            ...{ uri: thread.guid, post_id: thread.id, comment_id: null },
            ...{ person_id: who.record.ID, emoji: "🔥", emoji_url: null },
            created_at: OLD,
          })
          .execute(),
      ),
    voted: async (thread, who) => {
      await fillThread(kith(), thread);
      await kith().db.transaction((tx) =>
        tx
          .updateTable("poll_votes")
          .set({ person_id: who.record.ID })
          .where("person_id", "=", thread.reader.id)
          .execute(),
      );
    },
    mentions: personRow("text_mentions"),
    reshared: (thread, who) =>
      kith().server.features.posts.reshare(
        { personId: who.record.ID, userId: who.record.UserID },
        thread.guid,
      ),
    resharesOneHere: (thread, who) =>
      set(thread.id, { root_guid: newGuid(), root_person_id: who.record.ID }),
    quoted: async (thread) => {
      const other = await remoteThread(kith());
      await quote(other, thread.guid);
      await set(other.id, { pinned_at: OLD });
    },
    quotesOneHere: async (thread, who) => {
      const own = await who.post<PostRecord>("/posts", { post: "mine" });
      await quote(thread, own.Guid);
    },
    bookmarked: (thread, who) =>
      kith().db.transaction((tx) =>
        tx
          .insertInto("bookmarks")
          .values({
            ...{ user_id: who.record.UserID, post_id: thread.id },
            created_at: OLD,
          })
          .execute(),
      ),
    hidden: rowOf("hidden_posts"),
    muted: rowOf("muted_posts"),
    conversation: (thread, who) =>
      kith().db.transaction((tx) =>
        tx
          .insertInto("conversation_readers")
          .values({
            ...{ user_id: who.record.UserID, post_id: thread.id },
            ...({ activity_key: 1, state: "hidden" } as const),
          })
          .execute(),
      ),
    unread: (thread, who) =>
      kith().db.transaction((tx) =>
        tx
          .insertInto("unread_messages")
          .values({
            ...{ user_id: who.record.UserID, post_id: thread.id },
            comment_id: null,
          })
          .execute(),
      ),
    deliveredFromHere: (thread) =>
      kith().db.transaction((tx) =>
        tx
          .insertInto("delivery_receipts")
          .values({
            ...{ post_id: thread.id, host: "remote.example" },
            ...{ delivered_at: OLD, failed_at: null },
          })
          .execute(),
      ),
    pictureHere: async (thread) => {
      await fillThread(kith(), thread);
      await kith().db.transaction((tx) =>
        tx
          .updateTable("photos")
          .set({ storage_key: "stored" })
          .where("post_id", "=", thread.id)
          .execute(),
      );
    },
    notified: (thread, who) => notify(thread.guid, "Post", thread, who),
    notifiedOfComment: async (thread, who) => {
      const { guid } = await commentOn(kith(), thread);
      await notify(guid, "Comment", thread, who);
    },
    notifiedOfLike: async (thread, who) => {
      await fillThread(kith(), thread);
      const like = await kith()
        .db.read.selectFrom("likes")
        .select("guid")
        .where("post_id", "=", thread.id)
        .executeTakeFirstOrThrow();
      await notify(like.guid, "Like", thread, who);
    },
    reported: (thread) => report(thread.guid),
    commentReported: async (thread) =>
      report((await commentOn(kith(), thread)).guid),
  };

  const quote = (by: RemoteThread, guid: string) =>
    kith().db.transaction((tx) =>
      tx
        .insertInto("quotes")
        .values({
          ...{ post_id: by.id, quoted_uri: null, quoted_guid: guid },
          ...({ state: "accepted", authorization_uri: null } as const),
          changed_at: OLD,
        })
        .execute(),
    );

  const draft = (who: TestPerson, quoteId: RemoteThread["id"] | null) =>
    kith().db.transaction((tx) =>
      tx
        .insertInto("drafts")
        .values({
          user_id: who.record.UserID,
          content: storeJson({
            ...{ text: "well said", audience: { kind: "everyone" } as const },
            ...{ photoIds: [], eventId: null, quoteId, nsfw: false },
            ...{ warning: null, language: null, location: null, poll: null },
          }),
          ...{ publish_at: null, failed_reason: null, ...TIMES },
        })
        .execute(),
    );

  test("each tie alone keeps a post from elsewhere, and so does a draft that quotes it", async () => {
    const who = await kith().person();
    kith().clock.advance(300 * DAY_MS);
    assert.deepEqual(Object.keys(TIES), Object.keys(listTies(0)));
    const tied = new Map<string, RemoteThread>();
    for (const name of [...Object.keys(TIES), "drafted", "none"]) {
      const thread = await remoteThread(kith());
      tied.set(name, thread);
      await TIES[name]?.(thread, who);
    }
    await draft(who, tied.get("drafted")?.id ?? null);
    await kith().db.transaction((tx) =>
      tx
        .updateTable("posts")
        .set({ stored_at: OLD } as object)
        .execute(),
    );
    await clean();
    const gone: string[] = [];
    for (const [name, thread] of tied)
      if (!(await isHere(thread))) gone.push(name);
    assert.deepEqual(gone, ["none"]);
    // Thirty days are over at another time: nothing is written there any more.
    kith().clock.advance(61 * DAY_MS);
    await clean();
    const goingOn = tied.get("goingOn");
    assert.ok(goingOn && !(await isHere(goingOn)));
  });

  test("a followed author or tag leaves a post to the other rule, and what comes late stays for its time", async () => {
    const who = await kith().person();
    const [plain, followed, tagged] = [
      await remoteThread(kith()),
      await remoteThread(kith()),
      await remoteThread(kith(), "about #quokkas"),
    ];
    await who.post("/tags/quokkas");
    await kith().db.transaction((tx) =>
      tx
        .insertInto("contacts")
        .values({
          ...{ user_id: who.record.UserID, person_id: followed.author.id },
          ...{ following: true, sharing: false, confirmed: true, ...TIMES },
        })
        .execute(),
    );
    const states = async () => [
      await isHere(plain),
      await isHere(followed),
      await isHere(tagged),
    ];
    await clean();
    assert.deepEqual(await states(), [true, true, true], "all came just now");
    kith().clock.advance(91 * DAY_MS);
    await clean();
    assert.deepEqual(await states(), [false, true, true]);
    kith().clock.advance(110 * DAY_MS);
    await clean();
    assert.deepEqual(await states(), [false, false, false]);
    const { people } = kith().server.features;
    assert.ok(await people.find({ id: followed.author.id }), "is a contact");
    assert.equal(await people.find({ id: plain.author.id }), undefined);
    assert.equal(await people.find({ id: tagged.author.id }), undefined);
  });

  test("a removed post and its author can come again: removal is no retraction", async () => {
    const who = await kith().person();
    const { author, guid, id } = await remoteThread(kith(), "once more");
    kith().clock.advance(91 * DAY_MS);
    await clean();
    assert.equal(await isHere({ id }), false);
    // Notes that the account was used, so that the refusal writes nothing.
    await who.get("/notifications");
    await who.notFound("GET", `/posts/${guid}`);
    const { remotePeople, people } = kith().server.features;
    assert.equal(await people.find({ id: author.id }), undefined);
    const again = await remotePeople.store({
      ...{ handle: author.handle, guid: author.guid, profile: {} },
      ...{ addresses: author.addresses, protocols: ["activitypub"] },
      keys: [],
    });
    assert.ok(again);
    const uri = `https://remote.example/objects/${guid}`;
    await receive(kith(), remotePost(again, { guid, uri, text: "once more" }));
    const post = await who.get<PostRecord>(`/posts/${guid}`);
    assert.equal(post.Text, "once more");
    const tombstones = await kith()
      .db.read.selectFrom("tombstones")
      .select("guid")
      .where("guid", "=", guid)
      .execute();
    assert.deepEqual(tombstones, []);
    await clean();
    assert.equal((await who.get<PostRecord>(`/posts/${guid}`)).Guid, guid);
  });

  test("the command tells what each rule would free, and changes nothing before it is told to", async () => {
    const { db, server } = kith();
    kith().clock.advance(91 * DAY_MS);
    await clean();
    const thread = await remoteThread(kith());
    await fillThread(kith(), thread);
    kith().clock.advance(91 * DAY_MS);
    const run = async (words: string[], options: object = {}) => {
      const lines: string[] = [];
      const write = (line: string) => void lines.push(line);
      const all = { json: false, yes: false, ...options };
      await runStorageCommand(server.storage, words, all, write, () => {});
      return lines;
    };
    const before = await dumpTables(db);
    const shown = (await run([])).join("\n");
    assert.match(
      shown,
      /posts of people whom nobody here follows\t90\t1 posts, 1 comments, 2 likes/,
    );
    assert.match(shown, /somebody here follows\t200\t0 posts/);
    assert.match(shown, /database\t[0-9.]+ MiB/);
    const longer = (await run([], { days: "92" })).join("\n");
    assert.match(longer, /nobody here follows\t92\t0 posts/);
    await run(["clean"], { dryRun: true });
    assert.equal(compareDumps(before, await dumpTables(db)).size, 0);
    for (const [words, options] of [
      [["wipe"], {}],
      [["clean", "all"], {}],
      [["clean"], { days: "40" }],
      [[], { dryRun: true }],
      [[], { days: "0" }],
    ] as const)
      await assert.rejects(run([...words], options), UsageError);
    assert.equal(compareDumps(before, await dumpTables(db)).size, 0);
    const [line = ""] = await run(["clean"], { json: true });
    const { freed } = JSON.parse(line) as Record<string, FreedByRule>;
    assert.equal(freed?.["other-posts"].posts, 1);
    assert.equal(await isHere(thread), false);
  });
});
