import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

let kith: PagesServer;
let names = 0;

const read = async (path: string): Promise<string> =>
  (await visitor(kith.baseUrl).get(path)).text;

async function newAuthor() {
  const { username } = await newUser(kith.baseUrl, `formatted${(names += 1)}`);
  const handle = `${username}@${kith.host}`;
  const { id, userId } = (await kith.people.find({ handle })) ?? assert.fail();
  const author = { personId: id, userId: userId ?? assert.fail() };
  return { author, page: `/u/${username}` };
}

forEachDatabase((database) => {
  before(async () => {
    kith = await startPagesServer({ database });
  });
  after(() => kith.close());

  test("the page of a public post is an h-entry, and one in a list is not", async () => {
    const { author, page } = await newAuthor();
    const text = "Read by programs";
    const post = await kith.posts.publish({ author, text });
    const entry = await read(`/posts/${post.guid}`);
    const [, article = ""] =
      /<article\s+class="post h-entry"([^]*?)<\/article>/.exec(entry) ??
      assert.fail(entry);
    assert.match(article, RegExp(`class="p-author h-card"\\s+href="${page}"`));
    assert.match(
      article,
      RegExp(`class="u-url"\\s+href="/posts/${post.guid}"`),
    );
    assert.match(
      article,
      RegExp(`class="dt-published"\\s+datetime="${post.createdAt}"`),
    );
    assert.match(article, /class="text e-content"[^>]*><p>Read by programs</);
    assert.doesNotMatch(await read(page), /h-entry|e-content/);
  });

  test("a profile is an h-card with its name, address, picture and bio", async () => {
    const { author, page } = await newAuthor();
    await kith.people.changeProfile(author.personId, { bio: "Grows apples" });
    const text = await read(page);
    const [, card = ""] =
      /<div class="h-card">([^]*)<section/.exec(text) ?? assert.fail(text);
    assert.match(card, /<h1 class="p-name">/);
    assert.match(card, RegExp(`class="u-url" href="${page}" hidden`));
    assert.match(card, /<img\s+class="avatar u-photo"/);
    assert.match(card, /p-note" dir="auto"><p>Grows apples</);
  });

  const plan = async (location: string) => {
    const { author: owner, page } = await newAuthor();
    const times = { start: "2127-06-12T14:00", end: "2127-06-12T18:00" };
    const event = await kith.events.create({
      ...{ ...times, owner, location, announce: true },
      ...{ summary: "Repair café", description: "Bring", timeZone: "UTC" },
    });
    const text = await read(`/events/${event.guid}`);
    const [, data = ""] =
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ??
      assert.fail(text);
    return { event, text, page, data: JSON.parse(data) as LinkedData };
  };
  type LinkedData = {
    readonly eventAttendanceMode?: string;
    readonly location?: unknown;
  };

  test("the page of an event is an h-event with its end and organizer", async () => {
    const { event, text, page } = await plan("Old Mill");
    assert.ok(event.end);
    assert.ok(text.includes(`<data class="dt-end" value="${event.end}">`));
    assert.match(text, RegExp(`class="p-organizer h-card"\\s+href="${page}"`));
    assert.match(text, RegExp(`class="u-url" href="/events/${event.guid}"`));
    assert.match(text, /class="text p-description"/);
  });

  test("search engines learn whether an event takes place online", async () => {
    const there = await plan("Old Mill");
    assert.equal(
      there.data.eventAttendanceMode,
      "https://schema.org/OfflineEventAttendanceMode",
    );
    const online = await plan("https://meet.example/room");
    assert.equal(
      online.data.eventAttendanceMode,
      "https://schema.org/OnlineEventAttendanceMode",
    );
    assert.deepEqual(online.data.location, {
      ...{ "@type": "VirtualLocation", url: "https://meet.example/room" },
    });
    const unknown = await plan("");
    assert.equal(unknown.data.eventAttendanceMode, undefined);
  });
});
