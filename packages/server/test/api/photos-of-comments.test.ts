import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { visitor } from "../support/pages/visit.ts";
import { forEachDatabase } from "../support/server/databases.ts";
import {
  PASSWORD,
  useKith,
  type TestPerson,
} from "../support/server/kith-server.ts";
import { picture, storedFiles, upload } from "../support/scenes/pictures.ts";
import type {
  AspectRecord,
  CommentRecord,
  PhotoRecord,
  PostRecord,
} from "../support/server/wire.ts";

type Pictured = CommentRecord;
type Version = { readonly Text: string; readonly Photos?: PhotoRecord[] };

forEachDatabase((kind) => {
  const kith = useKith(kind);

  const filesOf = async ({ Guid }: { Guid: string }) =>
    (await storedFiles(kith())).filter((name) => name.startsWith(Guid));
  const rowsOf = ({ ID }: PhotoRecord) =>
    kith()
      .db.read.selectFrom("photos")
      .select("id")
      .where("id", "=", ID)
      .execute();
  const assertGone = async (photo: PhotoRecord): Promise<void> => {
    await kith().settle();
    assert.deepEqual(await rowsOf(photo), []);
    assert.deepEqual(await filesOf(photo), []);
  };

  const comment = async (
    by: TestPerson,
    { Guid }: Pick<PostRecord, "Guid">,
    json: Record<string, unknown>,
  ): Promise<Pictured> => {
    const path = `/posts/${Guid}/comments`;
    const { status, text } = await by.call("POST", path, { json });
    assert.equal(status, 200, text);
    return JSON.parse(text) as Pictured;
  };

  const statusOf = async (
    url: string,
    by: TestPerson | undefined,
  ): Promise<number> => {
    const headers = by && { access_token: by.token };
    return (await fetch(url, headers && { headers })).status;
  };

  /** A post for friends, of which there is one. */
  async function limitedPost(owner: TestPerson, friend: TestPerson) {
    const { ID } = await owner.post<AspectRecord>("/aspects", { name: "f" });
    await owner.post(`/people/${friend.record.ID}/aspects/${ID}`);
    return owner.post<PostRecord>("/posts", { post: "few", aspectID: ID });
  }

  describe("a comment with pictures", () => {
    test("has them in their order, wherever it is shown, and its post has none of them", async () => {
      const [ann, bob] = [await kith().person(), await kith().person()];
      const post = await ann.post<PostRecord>("/posts", { post: "look" });
      const all = [await upload(bob), await upload(bob)];
      const ids = all.map(({ ID }) => ID).toReversed();
      const made = await comment(bob, post, {
        ...{ comment: "and this", photoID: [...ids, ids[0]] },
      });
      const idsOf = (it: Pictured | undefined) =>
        it?.Photos?.map(({ ID }) => ID);
      assert.deepEqual(idsOf(made), ids);
      for (const photo of made.Photos ?? [])
        assert.deepEqual(
          [photo.PostID, (photo as { CommentID?: number }).CommentID],
          [post.ID, made.ID],
        );
      const plain = await comment(bob, post, { comment: "none" });
      assert.ok(!("Photos" in plain));
      const shown = await ann.get<PostRecord>(`/posts/${post.Guid}`);
      assert.deepEqual(shown.Photos, []);
      assert.deepEqual(idsOf(shown.Comments[0]), ids);
      const [listed] = await ann.get<Pictured[]>(`/posts/${post.ID}/comments`);
      assert.deepEqual(listed, made);
      assert.deepEqual(await bob.get(`/comments/${made.Guid}`), made);
      const [stream] = await bob.get<PostRecord[]>("/posts");
      assert.deepEqual(stream?.Comments[0], made);
      const page = await visitor(kith().baseUrl).get(`/posts/${post.Guid}`);
      for (const { Url } of all)
        assert.ok(page.text.includes(`href="${Url}"`), Url);
      // They are no pictures of the person's own posts.
      const tab = await visitor(kith().baseUrl).get(
        `/people/${bob.record.Guid}/pictures`,
      );
      for (const { Guid } of all) assert.ok(!tab.text.includes(Guid));
    });

    test("takes only waiting pictures of its author, at most 20, and none for another audience", async () => {
      const [ann, bob] = [await kith().person(), await kith().person()];
      const post = await ann.post<PostRecord>("/posts", { post: "look" });
      const path = `/posts/${post.Guid}/comments`;
      const [foreign, own] = [await upload(ann), await upload(bob)];
      const { ID: aspectID } = await bob.post<AspectRecord>("/aspects", {
        name: "mine",
      });
      const forAspect = await upload(bob, undefined, { aspectID });
      const before = await kith().snapshot();
      const refuse = (photoID: unknown, how: "badRequest" | "notFound") =>
        bob[how]("POST", path, { json: { comment: "x", photoID } });
      await refuse([foreign.ID], "notFound");
      await refuse([own.ID, 999_999], "notFound");
      await refuse([forAspect.ID], "badRequest");
      await refuse(
        Array.from({ length: 21 }, (_, at) => at + 1),
        "badRequest",
      );
      await bob.blank("POST", path, {
        json: { comment: " ", photoID: [own.ID] },
      });
      assert.deepEqual(await kith().snapshot(), before);
      await comment(bob, post, { comment: "mine", photoID: [own.ID] });
      // A picture of a comment is not available for anything else.
      await refuse([own.ID], "notFound");
      await bob.notFound("POST", "/posts", {
        json: { post: "x", photoID: [own.ID] },
      });
    });

    test("shows them to the readers of its post alone, and to nobody once its author is suspended", async () => {
      const [ann, bob, eve] = [
        await kith().person(),
        await kith().person(),
        await kith().person(),
      ];
      const post = await limitedPost(ann, bob);
      const photo = await upload(bob);
      await comment(bob, post, { comment: "hush", photoID: [photo.ID] });
      for (const [who, status] of [
        ...([ann, bob] as const).map((it) => [it, 200] as const),
        ...([eve, undefined] as const).map((it) => [it, 404] as const),
      ])
        assert.equal(await statusOf(photo.Url, who), status);
      await eve.notFound("GET", `/photos/${photo.Guid}`);
      const open = await ann.post<PostRecord>("/posts", { post: "for all" });
      const shown = await upload(bob);
      await comment(bob, open, { comment: "see", photoID: [shown.ID] });
      assert.equal(await statusOf(shown.Url, undefined), 200);
      const keeper = await kith().person({ role: "admin" });
      await keeper.put(`/admin/people/${bob.record.ID}/suspension`, {
        reason: "threats",
      });
      for (const who of [ann, eve, undefined])
        assert.equal(await statusOf(shown.Url, who), 404);
    });
  });

  describe("pictures are deleted, rows and files,", () => {
    async function pictured() {
      const [ann, bob] = [await kith().person(), await kith().person()];
      const post = await ann.post<PostRecord>("/posts", { post: "look" });
      const photo = await upload(bob);
      const own = await upload(ann);
      await comment(ann, post, { comment: "mine", photoID: [own.ID] });
      const made = await comment(bob, post, {
        ...{ comment: "this", photoID: [photo.ID] },
      });
      assert.equal((await filesOf(photo)).length, 5);
      return { ann, bob, post, photo, own, made };
    }

    test("with their comment, by its author and by that of the post", async () => {
      for (const by of ["bob", "ann"] as const) {
        const { photo, own, made, ...people } = await pictured();
        await people[by].delete(`/comments/${made.Guid}`);
        await assertGone(photo);
        assert.equal((await filesOf(own)).length, 5);
      }
    });

    test("with the post", async () => {
      const { ann, post, photo, own } = await pictured();
      await ann.delete(`/posts/${post.Guid}`);
      for (const one of [photo, own]) await assertGone(one);
    });

    test("when their author or that of the post leaves", async () => {
      for (const by of ["bob", "ann"] as const) {
        const { photo, ...people } = await pictured();
        const form = { password: PASSWORD };
        const left = await people[by].call("DELETE", "/users", { form });
        assert.equal(left.status, 200, left.text);
        await assertGone(photo);
      }
    });

    test("one by one, as an edit of the comment", async () => {
      const { ann, bob, photo, made } = await pictured();
      await ann.notFound("DELETE", `/photos/${photo.Guid}`);
      kith().clock.advance(5_000);
      await bob.put(`/photos/${photo.Guid}`, { text: "a wall" });
      const path = `/comments/${made.Guid}`;
      const described = await ann.get<Pictured>(path);
      assert.equal(described.Photos?.[0]?.Text, "a wall");
      assert.ok(described.UpdatedAt > made.UpdatedAt);
      kith().clock.advance(5_000);
      await bob.delete(`/photos/${photo.Guid}`);
      await assertGone(photo);
      const left = await ann.get<Pictured>(path);
      assert.ok(!("Photos" in left));
      const versions = await ann.get<Version[]>(`${path}/history`);
      assert.deepEqual(
        versions.map(({ Photos }) => Photos?.map(({ Text }) => Text)),
        [["a wall"], [""]],
      );
    });

    test("by an edit that leaves them out, which also adds others", async () => {
      const { bob, photo, made } = await pictured();
      const more = await upload(bob);
      const path = `/comments/${made.Guid}`;
      const edit = async (photoID: number[]) => {
        kith().clock.advance(5_000);
        const json = { photoID };
        const { status, text } = await bob.call("PUT", path, { json });
        assert.equal(status, 200, text);
        return (JSON.parse(text) as Pictured).Photos?.map(({ ID }) => ID);
      };
      const both = [more.ID, photo.ID];
      assert.deepEqual(await edit(both), both);
      assert.deepEqual(await edit(both), both);
      assert.deepEqual(await edit([more.ID]), [more.ID]);
      await assertGone(photo);
      assert.equal((await filesOf(more)).length, 5);
      const versions = await bob.get<Version[]>(`${path}/history`);
      assert.equal(versions.length, 2);
    });
  });

  /** Signs in, and sends the form of a page with a file. @param to where it is sent */
  const useForm = async (who: TestPerson, path: string, to: string) => {
    const browser = visitor(kith().baseUrl);
    await browser.post("/users/sign_in", {
      ...{ username: who.username, password: PASSWORD },
    });
    const page = await browser.get(path);
    const fields = [
      ...page.text.matchAll(/name="(csrf_token|once)"\s+value="([^"]+)"/g),
    ];
    const send = async (text: string, bytes: Uint8Array) => {
      const body = new FormData();
      for (const [, name = "", value = ""] of fields) body.set(name, value);
      body.set("text", text);
      body.set("photo_text", "a blue square");
      body.append("photo", new Blob([new Uint8Array(bytes)]), "one.png");
      return fetch(kith().baseUrl + to, {
        ...{ method: "POST", body, redirect: "manual" },
        headers: { cookie: browser.cookies() },
      });
    };
    return { browser, send };
  };

  test("the form of a page takes pictures with their descriptions, without a script", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await ann.post<PostRecord>("/posts", { post: "look" });
    const path = `/posts/${post.Guid}`;
    const { browser, send } = await useForm(bob, path, `${path}/comments`);
    const bad = await send("with a lie", Buffer.from("no picture"));
    assert.equal(bad.status, 422);
    assert.match(await bad.text(), /role="alert"/);
    const bytes = await picture(40, 40).png().toBuffer();
    const sent = await send("with one", bytes);
    assert.equal(sent.status, 302);
    const { Comments } = await ann.get<PostRecord>(path);
    const [made] = Comments;
    assert.equal(made?.Text, "with one");
    assert.deepEqual(
      made.Photos?.map(({ Text }) => Text),
      ["a blue square"],
    );
    const after = await browser.get(path);
    assert.match(after.text, /alt="a blue square"/);
  });

  test("a filter finds the description of a picture of a comment", async () => {
    const [ann, bob] = [await kith().person(), await kith().person()];
    const post = await ann.post<PostRecord>("/posts", { post: "look" });
    const photo = await upload(bob, undefined, { text: "a spider" });
    await comment(bob, post, { comment: "this", photoID: [photo.ID] });
    const read = () => ann.get<Pictured[]>(`/posts/${post.ID}/comments`);
    assert.equal((await read()).length, 1);
    const json = { title: "no", action: "hide", context: ["thread"] };
    const keyword = ["spider"];
    await ann.call("POST", "/filters", { json: { ...json, keyword } });
    assert.equal((await read()).length, 0);
  });

  test("messages have pictures for the participants alone", async () => {
    const [ann, bob, eve] = [
      await kith().person(),
      await kith().person(),
      await kith().person(),
    ];
    const [one, two] = [await upload(ann), await upload(bob)];
    const json = { text: "psst", personID: [bob.record.ID], photoID: [one.ID] };
    const started = await ann.call("POST", "/conversations", { json });
    assert.equal(started.status, 200, started.text);
    const { ID } = JSON.parse(started.text) as { ID: number };
    const path = `/conversations/${ID}/messages`;
    await bob.call("POST", path, { json: { text: "re", photoID: [two.ID] } });
    const messages = await ann.get<Pictured[]>(path);
    assert.deepEqual(
      messages.map(({ Photos }) => Photos?.map(({ Guid }) => Guid)),
      [[two.Guid], [one.Guid]],
    );
    for (const { Url } of [one, two]) {
      for (const who of [ann, bob]) assert.equal(await statusOf(Url, who), 200);
      assert.equal(await statusOf(Url, eve), 404);
    }
    const { text } = await eve.call("GET", path);
    assert.ok(!text.includes(one.Guid));
    const [listed] = await bob.get<{ Guid: string }[]>("/conversations");
    const page = `/messages/${listed?.Guid}`;
    const { browser, send } = await useForm(bob, page, page);
    assert.ok((await browser.get(page)).text.includes(one.Guid));
    const bad = await send("with a lie", Buffer.from("no picture"));
    assert.equal(bad.status, 422);
    const bytes = await picture(40, 40).png().toBuffer();
    assert.equal((await send("with one", bytes)).status, 302);
    assert.match((await browser.get(page)).text, /alt="a blue square"/);
    // A message stays as it was sent, but its picture can go.
    const own = `/photos/${two.Guid}`;
    await bob.badRequest("PUT", own, { form: { text: "other" } });
    assert.ok(!(await browser.get(own)).text.includes("<textarea"));
    await bob.delete(own);
    await assertGone(two);
  });
});
