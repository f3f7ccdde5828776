import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

const NOTIFICATIONS = "/notifications";
const READ = "/notifications/read";

/** The comment to which a notification leads. */
function aboutComment(page: string): string {
  const [, to = ""] = /href="[^"]*to=(%2Fcomments%2F[^"]+)"/.exec(page) ?? [];
  return decodeURIComponent(to);
}
let names = 0;

forEachDatabase((database) => {
  describe(`on ${database}`, () => {
    const kith = useKith(database);
    const newName = () => `noted${(names += 1)}`;
    const meet = async () => {
      const { baseUrl } = kith();
      const author = await newUser(baseUrl, newName());
      const reader = await newUser(baseUrl, newName());
      return { author, reader };
    };
    const featuresOf = () => kith().server.features;
    const userOf = async ({ username }: User) => {
      const handle = `${username}@${kith().host}`;
      const { id, userId } =
        (await featuresOf().people.find({ handle })) ?? assert.fail();
      return { personId: id, userId: userId ?? assert.fail() };
    };
    const publish = async (by: User, text: string) =>
      featuresOf().posts.publish({
        author: await userOf(by),
        text,
        audience: { kind: "everyone" },
      });
    const answer = async (by: User, guid: string, text: string) => {
      const { csrf_token } = by;
      await by.post(`/posts/${guid}/comments`, { csrf_token, text });
      await kith().settle();
    };
    const like = async (by: User, path: string) => {
      const { csrf_token } = by;
      await by.post(`${path}/like`, { csrf_token });
      await kith().settle();
    };

    test("the page of a post leads to the first comment that is not read yet", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Apples");
      const other = await publish(author, "Pears");
      await answer(reader, post.guid, "one");
      await answer(reader, post.guid, "two");
      await answer(reader, other.guid, "elsewhere");
      const pageOf = async (guid: string, by = author) =>
        (await by.get(`/posts/${guid}`)).text;
      assert.match(await pageOf(post.guid), />2 unread comments: go to the/);
      assert.doesNotMatch(await pageOf(post.guid, reader), /unread comment/);
      const nobody = await visitor(kith().baseUrl).get(`/posts/${post.guid}`);
      assert.doesNotMatch(nobody.text, /unread comment/);
      const page = await pageOf(post.guid);
      const [, link = ""] = /href="([^"]+)"\s*>2 unread/.exec(page) ?? [];
      const opened = await author.get(link.replaceAll("&amp;", "&"));
      const to = opened.headers.get("location") ?? "";
      const place = (await author.get(to)).headers.get("location") ?? "";
      const [, first = ""] = place.split("#");
      assert.match(page, RegExp(`id="${first}"[^]*>one<[^]*>two<`));
      assert.doesNotMatch(await pageOf(post.guid), /unread comment/);
      assert.match(await pageOf(other.guid), />1 unread comment: go to the/);
    });

    test("comments and likes are shown with what they are about, and lead there", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Apples <b> and pears");
      await answer(reader, post.guid, "Plums!");
      await like(reader, `/posts/${post.guid}`);
      const page = await author.get(NOTIFICATIONS);
      assert.equal(page.status, 200);
      assert.match(page.text, RegExp(reader.username));
      assert.match(page.text, /likes your post/);
      assert.match(page.text, /Apples &lt;b&gt; and pears/);
      assert.match(page.text, /commented/);
      const led = await author.get(aboutComment(page.text));
      assert.equal(led.status, 302);
      const to = led.headers.get("location") ?? "";
      assert.equal(to.split("#", 1)[0], `/posts/${post.guid}`);
      assert.match((await author.get(to)).text, /Plums!/);
      assert.doesNotMatch((await reader.get(NOTIFICATIONS)).text, /Apples/);
    });

    test("a notification that is followed is not counted any longer", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Elderberries");
      await answer(reader, post.guid, "Black");
      await like(reader, `/posts/${post.guid}`);
      const page = await author.get(NOTIFICATIONS);
      const [, query = ""] =
        /href="\/notifications\/open\?([^"]+)"[^>]*>Black/.exec(page.text) ??
        [];
      const path = `/notifications/open?${query.replaceAll("&amp;", "&")}`;
      // Other people's are not touched, and visitors sign in first.
      await reader.get(path);
      const nobody = await visitor(kith().baseUrl).get(path);
      const asked = nobody.headers.get("location") ?? "";
      assert.match(asked, /^\/users\/sign_in\?to=%2Fcomments%2F/);
      assert.match((await author.get("/home")).text, /unread-count"\s*>2</);
      for (const time of ["once", "twice"]) {
        const led = await author.get(path);
        assert.equal(led.status, 302, time);
        assert.match(led.headers.get("location") ?? "", /^\/comments\//);
        assert.match((await author.get("/home")).text, /unread-count"\s*>1</);
      }
      const read = await author.get(NOTIFICATIONS);
      assert.match(read.text, /href="\/comments\/[^"]+"[^>]*>Black/);
      const away = path.replace(/to=[^&]*/, "to=https%3A%2F%2Fevil.example");
      const home = await author.get(away);
      assert.equal(home.headers.get("location"), "/home");
      assert.equal((await author.get("/notifications/open?id=x")).status, 404);
    });

    test("those of one kind about one post are shown as one", async () => {
      const { author, reader } = await meet();
      const others = [
        await newUser(kith().baseUrl, newName()),
        await newUser(kith().baseUrl, newName()),
      ];
      const post = await publish(author, "Cherries");
      for (const by of [reader, ...others])
        await like(by, `/posts/${post.guid}`);
      const { text } = await author.get(NOTIFICATIONS);
      assert.equal(text.match(/like your post/g)?.length, 1);
      assert.match(text, /1 other person/);
    });

    test("the navigation counts the unread ones until they are marked as read", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Quinces");
      await answer(reader, post.guid, "One");
      await like(reader, `/posts/${post.guid}`);
      const counted = /class="unread-count"\s*>2</;
      assert.match((await author.get("/home")).text, counted);
      const page = await author.get(NOTIFICATIONS);
      const all = hiddenFields(page, READ);
      assert.equal(all["id"], "all");
      const unread = async () =>
        (await author.get(`${NOTIFICATIONS}?unread=true`)).text;
      const [, one = ""] = /name="id" value="(\d+)"/.exec(await unread()) ?? [];
      const { csrf_token } = author;
      for (const time of ["once", "twice"])
        assert.equal(
          (await author.post(READ, { csrf_token, id: one })).status,
          302,
          time,
        );
      assert.match((await author.get("/home")).text, /unread-count"\s*>1</);
      assert.equal((await author.post(READ, all)).status, 302);
      assert.doesNotMatch((await author.get("/home")).text, /unread-count/);
      assert.match(await unread(), /You have read them all/);
      assert.match((await author.get(NOTIFICATIONS)).text, /Quinces/);
    });

    test("each tab shows its kinds alone, in pages that new ones do not shift", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Damsons");
      await answer(reader, post.guid, "A word");
      await like(reader, `/posts/${post.guid}`);
      const shown = async (query: string) =>
        (await author.get(NOTIFICATIONS + query)).text;
      assert.match(await shown("?about=talk"), /commented/);
      assert.doesNotMatch(await shown("?about=talk"), /likes your post/);
      assert.match(await shown("?about=liked"), /likes your post/);
      assert.doesNotMatch(await shown("?about=liked"), /commented/);
      for (const empty of ["people", "events"])
        assert.match(await shown(`?about=${empty}`), /Nothing here yet/);
      for (const other of ["x", "toString"])
        assert.match(await shown(`?about=${other}`), /commented/);
      const talk = /href="\/notifications\?about=talk"\s+aria-current="page"/;
      assert.match(await shown("?about=talk"), talk);
      for (let n = 0; n < 31; n += 1)
        await answer(reader, post.guid, `No. ${n}`);
      const first = await shown("?about=talk");
      const [, older = ""] = /href="([^"]*before=\d+)"/.exec(first) ?? [];
      const path = older.replaceAll("&amp;", "&");
      assert.match(path, /about=talk/);
      const listed = async () =>
        (await author.get(path)).text.match(/name="id" value="\d[\d,]*"/g);
      const second = await listed();
      assert.ok(second);
      await answer(reader, post.guid, "Later");
      assert.deepEqual(await listed(), second);
    });

    test("nobody marks other people's, nor without the token of a form", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Medlars");
      await like(reader, `/posts/${post.guid}`);
      const page = await author.get(`${NOTIFICATIONS}?unread=true`);
      const [, id = ""] = /name="id" value="(\d+)"/.exec(page.text) ?? [];
      const { csrf_token } = reader;
      assert.equal((await reader.post(READ, { csrf_token, id })).status, 302);
      assert.equal((await author.post(READ, { id })).status, 403);
      for (const wrong of ["", "x", "1;2", "0", "-1", "1,".repeat(40) + "1"])
        assert.equal(
          (await reader.post(READ, { csrf_token, id: wrong })).status,
          404,
          wrong,
        );
      assert.match((await author.get("/home")).text, /unread-count"\s*>1</);
      const nobody = visitor(kith().baseUrl);
      const led = await nobody.get(NOTIFICATIONS);
      assert.equal(
        led.headers.get("location"),
        "/users/sign_in?to=%2Fnotifications",
      );
    });

    test("a deleted comment is in no list, and leads nowhere", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Sloes");
      await answer(reader, post.guid, "Bitter");
      const page = await author.get(NOTIFICATIONS);
      const path = aboutComment(page.text);
      const guid = path.slice("/comments/".length);
      await featuresOf().comments.remove(await userOf(reader), guid);
      await kith().settle();
      assert.doesNotMatch((await author.get(NOTIFICATIONS)).text, /Bitter/);
      assert.equal((await author.get(path)).status, 404);
    });

    test("a deleted post leaves no notification of its reshares, and its reshares no link", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Apples");
      const reshare = await featuresOf().posts.reshare(
        await userOf(reader),
        post.guid,
      );
      await kith().settle();
      assert.match((await author.get(NOTIFICATIONS)).text, /reshared your/);
      const own = `/posts/${reshare.guid}`;
      assert.match((await reader.get(own)).text, /Comments on the original/);
      const { csrf_token } = author;
      await author.post(`/posts/${post.guid}/delete`, { csrf_token });
      await kith().settle();
      assert.doesNotMatch((await author.get(NOTIFICATIONS)).text, /reshared/);
      const left = await reader.get(own);
      assert.match(left.text, /The post that was reshared is not here/);
      assert.doesNotMatch(left.text, /Comments on the original/);
    });

    test("a comment far down is found on its own page of the post", async () => {
      const { author, reader } = await meet();
      const post = await publish(author, "Long");
      const by = await userOf(reader);
      const written: { readonly id: number; readonly guid: string }[] = [];
      for (let n = 0; n < 101; n += 1) {
        const on = { guid: post.guid };
        const comment = await featuresOf().comments.create({
          ...{ author: by, on, text: `No ${n}` },
        });
        written.push(comment);
      }
      for (const [n, before] of [[49], [50, 49], [100, 99]] as const) {
        const { guid } = written[n] ?? assert.fail();
        const key = before === undefined ? undefined : written[before]?.id;
        const query = key === undefined ? "" : `?after=${key}`;
        const led = await author.get(`/comments/${guid}`);
        assert.equal(
          led.headers.get("location"),
          `/posts/${post.guid}${query}#${guid}`,
        );
      }
    });

    test("a user chooses what to be notified of, and nothing else gets in", async () => {
      const { author, reader } = await meet();
      const choices = "/settings/notifications";
      const { csrf_token } = author;
      const page = (await author.get(choices)).text;
      assert.match((await author.get("/settings")).text, RegExp(choices));
      assert.equal(page.match(/value="everyone" selected/g)?.length, 10);
      assert.doesNotMatch(page, /\schecked\s/);
      const wrong = { csrf_token, comment: "friends" };
      assert.equal((await author.post(choices, wrong)).status, 400);
      const saved = await author.post(choices, {
        ...{ csrf_token, comment: "nobody", dropped: "not_followers" },
      });
      assert.equal(saved.status, 200);
      assert.match(saved.text, /role="status"/);
      assert.match(saved.text, /value="nobody" selected/);
      assert.match(saved.text, /value="not_followers"\s+checked/);
      const post = await publish(author, "Say nothing");
      await answer(reader, post.guid, "Something");
      assert.deepEqual(
        await featuresOf().notifications.list(
          ...([await userOf(author), false, { offset: 0, limit: 9 }] as const),
        ),
        [],
      );
      const stranger = visitor(kith().baseUrl);
      assert.equal((await stranger.get(choices)).status, 302);
      const forged = { csrf_token: "x", comment: "everyone" };
      assert.equal((await author.post(choices, forged)).status, 403);
    });
  });
});
