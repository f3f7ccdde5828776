import assert from "node:assert/strict";
import { test } from "node:test";
import { plan } from "../support/scenes/planning.ts";
import { upload } from "../support/scenes/pictures.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import { useKith, type TestPerson } from "../support/server/kith-server.ts";
import { watchChanges } from "../support/streams/event-reader.ts";
import { befriend } from "../support/remote/several-servers.ts";
import type {
  CommentRecord,
  NotificationRecord,
  PostRecord,
} from "../support/server/wire.ts";

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const filter = async (
    who: TestPerson,
    context: string[],
    choice: { action?: string; keyword?: string[] } = {},
  ) => {
    const json = { title: "tea", keyword: ["tea"], ...choice, context };
    const answer = await who.call("POST", "/filters", { json });
    assert.equal(answer.status, 200, answer.text);
    return (JSON.parse(answer.text) as { ID: number }).ID;
  };
  const HIDE = { action: "hide" };
  const publish = async (who: TestPerson, post: string, more = {}) => {
    const json = { post, aspectID: [0], ...more };
    const answer = await who.call("POST", "/posts", { json });
    assert.equal(answer.status, 200, answer.text);
    return JSON.parse(answer.text) as PostRecord;
  };
  const idsOf = (list: readonly { ID: number }[]) => list.map(({ ID }) => ID);

  test("warn shows the match to its reader alone, where the filter applies", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const FilterID = await filter(ann, ["home", "account"]);
    const post = await publish(bob, "Green TEA #drinks");
    await publish(bob, "coffee #drinks");
    const own = await publish(ann, "my tea #drinks");
    const match = [
      { FilterID, Title: "tea", Action: "warn", Keywords: ["tea"] },
    ];
    const seen = async (who: TestPerson, path: string, query = {}) => {
      const list = await who.get<PostRecord[]>(path, query);
      return new Map(list.map(({ ID, Filtered }) => [ID, Filtered]));
    };
    const home = await seen(ann, "/posts");
    assert.ok(home.size >= 3);
    assert.deepEqual(home.get(post.ID), match);
    assert.equal(home.get(own.ID), undefined);
    const profile = await seen(ann, `/people/${bob.record.ID}/stream`);
    assert.deepEqual(profile.get(post.ID), match);
    for (const [path, query] of [
      ["/posts", { visibility: 1 }],
      ["/tags/drinks/posts", {}],
      [`/people/${ann.record.ID}/stream`, {}],
    ] as const)
      assert.ok(
        [...(await seen(ann, path, query)).values()].every(
          (it) => it === undefined,
        ),
        path,
      );
    assert.equal((await seen(bob, "/posts")).get(post.ID), undefined);
    const single = await ann.get<PostRecord>(`/posts/${post.ID}`);
    assert.equal(single.Filtered, undefined);
  });

  test("hide leaves posts out of the lists of its contexts", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    await ann.post("/tags/drinks");
    const post = await publish(bob, "tea #drinks");
    const textsOf = async (by: TestPerson, path: string, query = {}) =>
      (await ann.get<PostRecord[]>(path, query))
        .filter(({ PersonID }) => PersonID === by.record.ID)
        .map(({ Text }) => Text);
    const stream = await ann.post<{ ID: number }>("/users/streams", {
      ...{ name: "mine", tags: "drinks" },
    });
    const lists: readonly [string, string, Record<string, number>][] = [
      ["home", "/posts", {}],
      ["home", "/tags/posts", {}],
      ["home", `/users/streams/${stream.ID}/posts`, {}],
      ["public", "/posts", { visibility: 1 }],
      ["public", "/tags/drinks/posts", {}],
      ["account", `/people/${bob.record.ID}/stream`, {}],
    ];
    for (const context of ["home", "public", "account", "thread"]) {
      const id = await filter(ann, [context], HIDE);
      for (const [where, path, query] of lists)
        assert.deepEqual(
          await textsOf(bob, path, query),
          where === context ? [] : ["tea #drinks"],
          `${context}: ${path}`,
        );
      await ann.delete(`/filters/${id}`);
    }
    // Whoever goes to a post reads it, with the match.
    await filter(ann, ["thread"], HIDE);
    const single = await ann.get<PostRecord>(`/posts/${post.ID}`);
    assert.equal(single.Filtered?.[0]?.Action, "hide");
  });

  test("hidden posts leave no holes in the pages, in either direction", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const shown: number[] = [];
    for (let count = 0; count < 24; count++) {
      const isShown = count % 4 === 0;
      const text = `${isShown ? "coffee" : "tea"} #cups`;
      const { ID } = await publish(bob, text);
      if (isShown) shown.unshift(ID);
    }
    await filter(ann, ["home", "public", "account"], HIDE);
    const newest = await ann.get<PostRecord[]>("/posts", { limit: 3 });
    assert.deepEqual(idsOf(newest), shown.slice(0, 3));
    const oldest = await ann.get<PostRecord[]>("/posts", {
      ...{ limit: 2, after: shown[3] ?? 0 },
    });
    assert.deepEqual(idsOf(oldest), shown.slice(1, 3));
    for (const path of [
      "/tags/cups/posts",
      `/people/${bob.record.ID}/stream`,
    ]) {
      const page = async (query: Record<string, number>) =>
        idsOf(await ann.get<PostRecord[]>(path, { limit: 2, ...query }));
      assert.deepEqual(await page({}), shown.slice(0, 2));
      assert.deepEqual(await page({ offset: 2 }), shown.slice(2, 4));
      assert.deepEqual(await page({ offset: 5 }), shown.slice(5));
      assert.deepEqual(
        await page({ before: shown[1] ?? 0 }),
        shown.slice(2, 4),
      );
      assert.deepEqual(await page({ after: shown[4] ?? 0 }), shown.slice(2, 4));
      assert.deepEqual(await page({ before: shown[5] ?? 0 }), []);
    }
  });

  test("everything that is shown with a post counts, and nothing that is not", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const cam = await kith().person();
    const word = { keyword: ["needle"] };
    const photo = await upload(bob, undefined, { text: "a needle" });
    const event = await plan(bob, { summary: "Needle work" });
    const said = await publish(cam, "needle said");
    const expected = [
      await publish(bob, "look", { photoID: photo.ID }),
      await publish(bob, "warned", { content_warning: "needles" }),
      await publish(bob, "asks", {
        ...{ poll_question: "Which?", poll_answer: ["needle", "pin"] },
      }),
      await publish(bob, "comes", { eventID: event.ID }),
      await publish(bob, "quotes", { quoteID: said.ID }),
      await bob.post<PostRecord>(`/posts/${said.ID}/reshare`),
    ];
    await publish(bob, "nothing");
    await filter(ann, ["account"], word);
    const list = await ann.get<PostRecord[]>(`/people/${bob.record.ID}/stream`);
    const matched = list.filter(({ Filtered }) => Filtered);
    assert.deepEqual(
      new Set(idsOf(matched).filter((id) => !isAnnouncement(list, id, event))),
      new Set(idsOf(expected)),
    );
    // A filter must not tell what a text says that its reader may not see.
    await cam.post(`/people/${ann.record.ID}/block`);
    const after = await ann.get<PostRecord[]>(
      `/people/${bob.record.ID}/stream`,
    );
    const quoting = after.find(({ Text }) => Text === "quotes");
    assert.ok(quoting);
    assert.equal(quoting.Filtered, undefined);
  });

  test("comments are marked or left out, in lists, threads and excerpts", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await publish(bob, "drinks");
    const comment = (who: TestPerson, text: string, parent?: CommentRecord) =>
      who.post<CommentRecord>(`/posts/${post.ID}/comments`, {
        ...{ comment: text, ...(parent && { parent_guid: parent.Guid }) },
      });
    const tea = await comment(bob, "tea");
    const reply = await comment(bob, "with milk", tea);
    const own = await comment(ann, "tea?", reply);
    const last = await comment(bob, "coffee");
    const warn = await filter(ann, ["thread"]);
    type Thread = { Descendants: CommentRecord[]; Ancestors: CommentRecord[] };
    const all = async () => {
      const at = `/posts/${post.ID}`;
      return [
        await ann.get<CommentRecord[]>(`${at}/comments`),
        (await ann.get<Thread>(`${at}/thread`)).Descendants,
        (await ann.get<PostRecord>(at)).Comments,
        (await ann.get<PostRecord[]>("/posts")).find(({ ID }) => ID === post.ID)
          ?.Comments ?? [],
      ];
    };
    for (const list of await all())
      assert.deepEqual(
        list.map(({ ID, Filtered }) => [ID, Filtered?.[0]?.FilterID]).sort(),
        [
          ...[
            [tea.ID, warn],
            [reply.ID, undefined],
          ],
          ...[
            [own.ID, undefined],
            [last.ID, undefined],
          ],
        ].sort(),
      );
    await ann.delete(`/filters/${warn}`);
    await filter(ann, ["thread"], HIDE);
    const rest = [reply.ID, own.ID, last.ID];
    for (const list of await all())
      assert.deepEqual(new Set(idsOf(list)), new Set(rest));
    const page = async (query: Record<string, number>) =>
      idsOf(
        await ann.get<CommentRecord[]>(`/posts/${post.ID}/comments`, query),
      );
    assert.deepEqual(await page({ limit: 2 }), rest.slice(0, 2));
    assert.deepEqual(await page({ limit: 1, offset: 2 }), rest.slice(2));
    assert.deepEqual(await page({ limit: 1, after: tea.ID }), [reply.ID]);
    const thread = await ann.get<Thread>(`/posts/${post.ID}/thread`, {
      ...{ limit: 1, after: own.ID },
    });
    assert.deepEqual(idsOf(thread.Descendants), [last.ID]);
    const above = await ann.get<Thread>(`/comments/${own.ID}/thread`);
    assert.deepEqual(idsOf(above.Ancestors), [reply.ID]);
    // Its author and everyone else still read it.
    assert.equal(
      (await bob.get<CommentRecord[]>(`/posts/${post.ID}/comments`)).length,
      4,
    );
  });

  test("notifications are marked or left out, and nobody is notified of hidden ones", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const own = await publish(ann, "my tea");
    await publish(bob, `@{${ann.handle}} tea`);
    await publish(bob, `@{${ann.handle}} coffee`);
    await bob.post(`/posts/${own.ID}/comments`, { comment: "more tea" });
    await bob.post(`/posts/${own.ID}/likes`);
    await kith().settle();
    const list = (query = {}) =>
      ann.get<NotificationRecord[]>("/notifications", query);
    const everything = await list();
    assert.equal(everything.length, 4);
    const warn = await filter(ann, ["notifications"]);
    const marked = (await list()).filter(({ Filtered }) => Filtered);
    assert.equal(marked.length, 2);
    assert.equal(marked[0]?.Filtered?.[0]?.FilterID, warn);
    const one = await ann.get<NotificationRecord>(
      `/notifications/${marked[0]?.ID}`,
    );
    assert.deepEqual(one, marked[0]);
    await ann.delete(`/filters/${warn}`);
    await filter(ann, ["notifications"], HIDE);
    const hidden = new Set(idsOf(marked));
    const left = idsOf(everything).filter((id) => !hidden.has(id));
    assert.deepEqual(idsOf(await list()), left);
    assert.deepEqual(idsOf(await list({ unread: true })), left);
    assert.deepEqual(idsOf(await list({ limit: 1, offset: 1 })), left.slice(1));
    const { notifications } = kith().server.features;
    const user = { userId: ann.record.UserID, personId: ann.record.ID };
    assert.equal(await notifications.countUnread(user, 10), 2);
    assert.equal(await notifications.countUnread(user, 1), 1);
    const stream = await watchChanges(kith().baseUrl, ann.token);
    await publish(bob, `@{${ann.handle}} tea again`);
    await kith().settle();
    await publish(bob, `@{${ann.handle}} water`);
    await kith().settle();
    const notified = await stream.next();
    assert.equal(notified.event, "notification");
    assert.equal(notified.data["ID"], (await list())[0]?.ID);
    stream.leave();
  });

  test("live changes tell nothing of hidden posts and comments", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    await befriend(ann, bob.handle);
    await filter(ann, ["home", "thread"], HIDE);
    const stream = await watchChanges(kith().baseUrl, ann.token);
    const hidden = await publish(bob, "tea");
    await bob.put(`/posts/${hidden.ID}`, { post: "black tea" });
    const post = await publish(bob, "drinks");
    const at = `/posts/${post.ID}/comments`;
    const comment = await bob.post<CommentRecord>(at, { comment: "tea" });
    await bob.put(`/comments/${comment.ID}`, { comment: "green tea" });
    const fence = await publish(bob, "fence");
    const notified = await stream.until(({ data }) => data["ID"] === fence.ID);
    assert.deepEqual(
      notified.map(({ event, data }) => [event, data["ID"]]),
      [
        ["post", post.ID],
        ["count", post.ID],
      ],
    );
    stream.leave();
  });

  /** Publishing an event makes a post of its own. */
  function isAnnouncement(
    list: readonly PostRecord[],
    id: number,
    event: { readonly ID: number },
  ): boolean {
    const post = list.find(({ ID }) => ID === id);
    return post?.Event?.ID === event.ID && post.Text !== "comes";
  }
});
