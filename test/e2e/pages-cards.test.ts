import assert from "node:assert/strict";
import { test } from "node:test";
import sharp from "sharp";
import { forEachDatabase } from "../../packages/server/test/support/server/databases.ts";
import { useKith } from "../../packages/server/test/support/server/kith-server.ts";
import {
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

type User = Awaited<ReturnType<typeof newUser>>;

let names = 0;

forEachDatabase((database) => {
  const kith = useKith(database);
  const meet = () => newUser(kith().baseUrl, `carded${(names += 1)}`);
  const authorOf = async ({ username }: User) => {
    const handle = `${username}@${kith().host}`;
    const { people } = kith().server.features;
    const person = (await people.find({ handle })) ?? assert.fail();
    return { personId: person.id, userId: person.userId ?? assert.fail() };
  };
  type Options = Partial<
    Parameters<
      ReturnType<typeof kith>["server"]["features"]["posts"]["publish"]
    >[0]
  >;
  const publish = async (by: User, text: string, more: Options = {}) =>
    kith().server.features.posts.publish({
      ...{ author: await authorOf(by), text, audience: { kind: "everyone" } },
      ...more,
    });
  const pageOf = async (path: string, language = "en") => {
    const answer = await fetch(kith().baseUrl + path, {
      headers: { accept: "text/html", "accept-language": language },
    });
    return answer.text();
  };
  /** The address of the picture that a page names. */
  const imageOf = (page: string) =>
    (/"og:image"\s+content="([^"]+)"/.exec(page)?.[1] ?? "").replaceAll(
      "&amp;",
      "&",
    );
  const load = async (url: string) => {
    const answer = await fetch(url);
    assert.equal(answer.status, 200, url);
    assert.equal(answer.headers.get("content-type"), "image/png");
    assert.match(answer.headers.get("cache-control") ?? "", /^public/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const { format, width, height } = await sharp(bytes).metadata();
    assert.deepEqual([format, width, height], ["png", 1200, 630]);
    return bytes;
  };

  test("a public post without a picture has a card, which changes with its words", async () => {
    const ann = await meet();
    const post = await publish(ann, "Apples *and* pears");
    const path = `/posts/${post.guid}`;
    const page = await pageOf(path);
    const url = imageOf(page);
    assert.ok(url.startsWith(`${kith().baseUrl}${path}/card.png?`), url);
    assert.match(page, /"twitter:card"\s+content="summary_large_image"/);
    assert.match(page, /"og:image:width"\s+content="1200"/);
    assert.match(page, /"og:image:alt"\s+content="[^"]*: Apples and pears"/);
    const before = await load(url);
    assert.deepEqual(await load(url), before);
    const german = imageOf(await pageOf(path, "de"));
    assert.match(german, /lang=de/);
    assert.notDeepEqual(await load(german), before);
    await kith().server.features.posts.edit(await authorOf(ann), post, {
      text: "Plums",
    });
    const edited = imageOf(await pageOf(path));
    assert.notEqual(edited, url);
    assert.notDeepEqual(await load(edited), before);
  });

  test("a text behind a warning is not on the card", async () => {
    const ann = await meet();
    const warned = async (text: string, warning: string | null, nsfw = false) =>
      load(
        imageOf(
          await pageOf(
            `/posts/${(await publish(ann, text, { warning, nsfw })).guid}`,
          ),
        ),
      );
    const one = await warned("The butler did it", "The end of a book");
    assert.deepEqual(await warned("The cook did it", "The end of a book"), one);
    assert.notDeepEqual(await warned("The cook did it", "A film"), one);
    const hidden = await warned("Nothing to see", null, true);
    assert.deepEqual(await warned("Something to see", null, true), hidden);
  });

  test("a limited, deleted, foreign or missing post has no card, each in the same way", async () => {
    const [ann, ben] = [await meet(), await meet()];
    const few = await publish(ann, "For few", { audience: { kind: "self" } });
    const gone = await publish(ann, "Gone");
    const shared = await publish(ann, "Shared");
    await ann.post(`/posts/${gone.guid}/delete`, {
      csrf_token: ann.csrf_token,
    });
    const { posts } = kith().server.features;
    const reshare = await posts.reshare(await authorOf(ben), shared.guid);
    assert.doesNotMatch(await pageOf(`/posts/${reshare.guid}`), /card\.png/);
    const owner = await ann.get(`/posts/${few.guid}`);
    assert.doesNotMatch(owner.text, /card\.png/);
    const bodies = new Set<string>();
    for (const guid of [few.guid, gone.guid, reshare.guid, "0".repeat(32)])
      for (const by of [ann, ben, visitor(kith().baseUrl)]) {
        const answer = await by.get(`/posts/${guid}/card.png`);
        assert.equal(answer.status, 404, guid);
        if (by !== ann && by !== ben)
          bodies.add(answer.text.replaceAll(guid, ""));
      }
    assert.equal(bodies.size, 1);
  });

  test("a public event has a card with its day; a limited one has none", async () => {
    const ann = await meet();
    const { events } = kith().server.features;
    const create = async (summary: string, kind: "everyone" | "self") =>
      events.create({
        ...{ owner: await authorOf(ann), summary, timeZone: "Europe/Berlin" },
        ...{ audience: { kind }, announce: true },
        ...{ start: "2127-06-12T14:00", end: "2127-06-12T18:00" },
      });
    const picnic = await create("Picnic", "everyone");
    const page = await pageOf(`/events/${picnic.guid}`);
    const url = imageOf(page);
    assert.match(url, RegExp(`/events/${picnic.guid}/card\\.png`));
    await load(url);
    const secret = await create("Surprise", "self");
    const refused = await ann.get(`/events/${secret.guid}/card.png`);
    assert.equal(refused.status, 404);
  });

  test("a post in letters that the font does not have shows its author", async () => {
    const ann = await meet();
    const one = await publish(ann, "你好，世界");
    const other = await publish(ann, "สวัสดี");
    const [first, second] = await Promise.all(
      [one, other].map(async ({ guid }) =>
        load(imageOf(await pageOf(`/posts/${guid}`))),
      ),
    );
    assert.deepEqual(first, second);
  });
});
