import assert from "node:assert/strict";
import { test } from "node:test";
import { CONTENT_TYPE } from "./media-types.ts";
import { activityPubLink, actorWebfingerLinks, parseJrd } from "./webfinger.ts";

const ACTOR = "https://kith.example/api/v1/ap/person/alice";

test("our links round-trip, activity+json first", () => {
  const links = actorWebfingerLinks(ACTOR);
  assert.deepEqual(links, [
    { rel: "self", type: "application/activity+json", href: ACTOR },
    { rel: "self", type: CONTENT_TYPE, href: ACTOR },
  ]);
  const jrd = parseJrd(
    JSON.stringify({ subject: "acct:alice@kith.example", links }),
  );
  assert.equal(activityPubLink(jrd), ACTOR);
});

test("parseJrd drops unusable parts", () => {
  const jrd = parseJrd(
    Buffer.from(
      JSON.stringify({
        subject: "acct:bob@peer.example",
        aliases: ["https://peer.example/@bob", null, 7],
        links: [
          null,
          "x",
          { href: "https://no.rel" },
          {
            rel: "http://ostatus.org/schema/1.0/subscribe",
            template: "https://peer.example/i?uri={uri}",
            href: null,
          },
        ],
        properties: {},
      }),
    ),
  );
  assert.deepEqual(jrd, {
    subject: "acct:bob@peer.example",
    aliases: ["https://peer.example/@bob"],
    links: [
      {
        rel: "http://ostatus.org/schema/1.0/subscribe",
        template: "https://peer.example/i?uri={uri}",
      },
    ],
  });
  assert.deepEqual(parseJrd("{}"), { aliases: [], links: [] });
  assert.throws(() => parseJrd("<html>"), { code: "malformed_json" });
});

test("only a self link with an ActivityPub type counts", () => {
  const link = (type: string | undefined, href: string, rel = "self") => ({
    rel,
    href,
    ...(type !== undefined && { type }),
  });
  const find = (...links: ReturnType<typeof link>[]) =>
    activityPubLink({ aliases: [], links });
  assert.equal(
    find(
      link("text/html", "https://a.example/"),
      link("application/activity+json", ACTOR),
    ),
    ACTOR,
  );
  assert.equal(find(link(CONTENT_TYPE, ACTOR)), ACTOR);
  assert.equal(find(link(undefined, ACTOR)), undefined);
  assert.equal(
    find(link("application/activity+json", ACTOR, "alternate")),
    undefined,
  );
  assert.equal(
    find(link("application/activity+json", "javascript:x")),
    undefined,
  );
});
