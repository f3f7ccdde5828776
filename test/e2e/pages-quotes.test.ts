import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  hiddenFields,
  newUser,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

const REVOKE = /Take my post out of this quote/;

let names = 0;
const newName = () => `quoter${(names += 1)}`;

forEachDatabase((database) => {
  describe(`on ${database}`, () => {
    const kith = useKith(database);
    const join = () => newUser(kith().baseUrl, newName());
    const userOf = async ({ username }: User) => {
      const handle = `${username}@${kith().host}`;
      const { id, userId } =
        (await kith().server.features.people.find({ handle })) ?? assert.fail();
      return { personId: id, userId: userId ?? assert.fail() };
    };
    const newest = async (by: User) => {
      const user = await userOf(by);
      const page = { offset: 0, limit: 1 };
      const { posts } = kith().server.features;
      return (await posts.listOf(user.personId, user, page))[0];
    };
    const draftsOf = async (by: User) => {
      const page = { offset: 0, limit: 10 };
      const { userId } = await userOf(by);
      return kith().server.features.drafts.list(userId, page);
    };
    const send = (by: User, form: Record<string, string>) =>
      by.post("/write", {
        ...{ csrf_token: by.csrf_token, audience: "everyone", ...form },
      });
    const publish = async (by: User, text: string) => {
      await send(by, { act: "publish", text });
      return (await newest(by)) ?? assert.fail();
    };
    const quote = async (by: User, { id }: { id: number }, text: string) => {
      const { posts, quotes } = kith().server.features;
      const author = await userOf(by);
      return posts.publish({
        ...{ author, text },
        attach: quotes.quote(author, { id: id as never }),
      });
    };

    test("the composer has the choice who may quote, and keeps it in a draft", async () => {
      const author = await join();
      const form = await author.get("/write");
      assert.match(form.text, /Who may quote it, if it is public/);
      for (const chosen of ["everyone", "followers", "nobody"]) {
        const text = `for ${chosen}`;
        await send(author, { act: "publish", text, quotable_by: chosen });
        const post = await newest(author);
        assert.deepEqual([post?.text, post?.quotableBy], [text, chosen]);
      }
      await send(author, { act: "publish", text: "as usual", quotable_by: "" });
      assert.equal((await newest(author))?.quotableBy, "everyone");
      const before = await newest(author);
      const wrong = await send(author, {
        ...{ act: "publish", text: "wrong", quotable_by: "friends" },
      });
      assert.equal(wrong.status, 404);
      assert.equal((await newest(author))?.id, before?.id);
      await send(author, { act: "save", text: "later", quotable_by: "nobody" });
      const [{ id } = assert.fail()] = await draftsOf(author);
      const kept = await author.get(`/write?draft=${id}`);
      assert.match(kept.text, /value="nobody"\s+(?:required\s+)?selected/);
    });

    test("a draft is changed and published in one call, with its quote, once", async () => {
      const [author, other] = [await join(), await join()];
      const words = await publish(other, "wise words");
      const { drafts, quotes } = kith().server.features;
      const user = await userOf(author);
      const saved = async () =>
        drafts.save(user, {
          publishAt: null,
          content: {
            ...{ text: "saved", audience: { kind: "everyone" } as const },
            ...{ photoIds: [], eventId: null, quoteId: words.id },
            ...{ nsfw: false, warning: null, language: "en" },
            ...{ quotableBy: "followers" as const, location: null, poll: null },
          },
        });
      const draft = String((await saved()).id);
      const form = { act: "publish", draft, quotable_by: "nobody" };
      const all = await Promise.all(
        Array.from({ length: 5 }, () => send(author, { ...form, text: "new" })),
      );
      const done = all.filter(({ status }) => status === 302);
      assert.equal(done.length, 1, all.map(({ status }) => status).join());
      const post = (await newest(author)) ?? assert.fail();
      assert.deepEqual([post.text, post.quotableBy], ["new", "nobody"]);
      assert.equal((await quotes.find(post.id))?.quotedGuid, words.guid);
      assert.deepEqual(await draftsOf(author), []);
      // A draft of others does not exist, and a refused one stays as it was.
      const second = await saved();
      const stolen = await send(other, {
        ...{ ...form, draft: String(second.id), text: "stolen" },
      });
      assert.notEqual(stolen.headers.get("location"), "/home");
      await kith().server.features.posts.deleteOrHide(
        await userOf(other),
        words.guid,
      );
      const refused = await send(author, {
        ...{ ...form, draft: String(second.id), text: "changed" },
      });
      assert.equal(refused.status, 422);
      const [left, ...more] = await draftsOf(author);
      assert.deepEqual([left?.id, left?.content.text], [second.id, "saved"]);
      assert.deepEqual(more, []);
      assert.equal((await newest(author))?.id, post.id);
    });

    test("the quoted author takes the post out with a button that nobody else has", async () => {
      const [author, quoter, other] = [
        await join(),
        await join(),
        await join(),
      ];
      const words = await publish(author, "wise words");
      const quoting = await quote(quoter, words, "look");
      const path = `/posts/${quoting.guid}`;
      const action = `${path}/revoke_quote`;
      for (const who of [quoter, other])
        assert.doesNotMatch((await who.get(path)).text, REVOKE);
      const page = await author.get(path);
      assert.match(page.text, REVOKE);
      const fields = hiddenFields(page, action);
      assert.equal(fields["quoted"], words.guid);
      for (const who of [quoter, other]) {
        const { csrf_token } = who;
        const stolen = await who.post(action, { ...fields, csrf_token });
        assert.equal(stolen.status, 404);
      }
      const { csrf_token } = author;
      for (const form of [
        { ...fields, quoted: quoting.guid },
        { ...fields, quoted: "" },
        { to: fields["to"] ?? "", csrf_token },
      ])
        assert.equal((await author.post(action, form)).status, 404);
      const forged = { ...fields, csrf_token: "wrong" };
      assert.notEqual((await author.post(action, forged)).status, 302);
      assert.match((await other.get(path)).text, /<blockquote class="quoted">/);

      const answers = await Promise.all(
        Array.from({ length: 4 }, () => author.post(action, fields)),
      );
      // A form that is sent twice is not a fault.
      for (const { status } of answers) assert.equal(status, 302);
      for (const who of [author, quoter, other]) {
        const { text } = await who.get(path);
        assert.match(text, /Its author no longer allows the quote/);
        assert.doesNotMatch(text, REVOKE);
        assert.doesNotMatch(text, /wise words/);
      }
      const { csrf_token: stolen } = other;
      const late = await other.post(action, { ...fields, csrf_token: stolen });
      assert.equal(late.status, 404);
    });

    test("a comment with a warning, or with filtered words, is folded", async () => {
      const [author, reader] = [await join(), await join()];
      const { comments } = kith().server.features;
      const post = await publish(author, "the post");
      const by = await userOf(author);
      const say = (text: string, warning: string | null) =>
        comments.create({
          ...{ author: by, on: { guid: post.guid }, text, warning },
        });
      await say("the soup", "Food & <b>");
      await say("an onion", null);
      await reader.post("/settings/filters/new", {
        ...{ csrf_token: reader.csrf_token, title: "Cooking" },
        ...{ context: "thread", parts: "onion" },
      });
      const { text } = await reader.get(`/posts/${post.guid}`);
      assert.match(
        text,
        /<summary dir="auto">Food &amp; &lt;b&gt;<\/summary>[^]*?the soup[^]*?<\/details>/,
      );
      assert.match(
        text,
        /<details class="filtered">\s*<summary dir="auto">[^<]*Cooking[^<]*<\/summary>[^]*?an onion/,
      );
      // Words that are filtered away are nowhere on the page of its author.
      assert.doesNotMatch(
        (await author.get(`/posts/${post.guid}`)).text,
        /class="filtered"/,
      );
    });
  });
});
