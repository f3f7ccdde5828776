import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { germanAccount } from "../../packages/server/src/pages/languages/de/settings/account.ts";
import { germanAnnouncements } from "../../packages/server/src/pages/languages/de/server/announcements.ts";
import { germanDetails } from "../../packages/server/src/pages/languages/de/details.ts";
import { germanStreams } from "../../packages/server/src/pages/languages/de/streams.ts";
import { germanAdmin } from "../../packages/server/src/pages/languages/de/server/admin.ts";
import { germanCompose } from "../../packages/server/src/pages/languages/de/compose.ts";
import { germanContacts } from "../../packages/server/src/pages/languages/de/contacts.ts";
import { germanEvents } from "../../packages/server/src/pages/languages/de/events.ts";
import { germanInvitations } from "../../packages/server/src/pages/languages/de/settings/invitations.ts";
import { germanMessages } from "../../packages/server/src/pages/languages/de/messages.ts";
import { germanAudit } from "../../packages/server/src/pages/languages/de/server/audit.ts";
import { germanModeration } from "../../packages/server/src/pages/languages/de/server/moderation.ts";
import { germanNotifications } from "../../packages/server/src/pages/languages/de/notifications.ts";
import { germanPages } from "../../packages/server/src/pages/languages/de/pages.ts";
import { germanSearch } from "../../packages/server/src/pages/languages/de/search.ts";
import { germanSecurity } from "../../packages/server/src/pages/languages/de/settings/security.ts";
import { germanWriting } from "../../packages/server/src/pages/languages/de/writing.ts";
import { englishAccount } from "../../packages/server/src/pages/languages/en/settings/account.ts";
import { englishAnnouncements } from "../../packages/server/src/pages/languages/en/server/announcements.ts";
import { englishDetails } from "../../packages/server/src/pages/languages/en/details.ts";
import { englishStreams } from "../../packages/server/src/pages/languages/en/streams.ts";
import { englishAdmin } from "../../packages/server/src/pages/languages/en/server/admin.ts";
import { englishCompose } from "../../packages/server/src/pages/languages/en/compose.ts";
import { englishContacts } from "../../packages/server/src/pages/languages/en/contacts.ts";
import { englishEvents } from "../../packages/server/src/pages/languages/en/events.ts";
import { englishInvitations } from "../../packages/server/src/pages/languages/en/settings/invitations.ts";
import { englishMessages } from "../../packages/server/src/pages/languages/en/messages.ts";
import { englishAudit } from "../../packages/server/src/pages/languages/en/server/audit.ts";
import { englishModeration } from "../../packages/server/src/pages/languages/en/server/moderation.ts";
import { englishNotifications } from "../../packages/server/src/pages/languages/en/notifications.ts";
import { englishPages } from "../../packages/server/src/pages/languages/en/pages.ts";
import { englishSearch } from "../../packages/server/src/pages/languages/en/search.ts";
import { englishSecurity } from "../../packages/server/src/pages/languages/en/settings/security.ts";
import { englishWriting } from "../../packages/server/src/pages/languages/en/writing.ts";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  hiddenFields,
  newUser,
  visitor,
} from "../../packages/server/test/support/pages/visit.ts";

const ENGLISH = {
  audit: englishAudit,
  account: englishAccount,
  announcements: englishAnnouncements,
  details: englishDetails,
  streams: englishStreams,
  admin: englishAdmin,
  compose: englishCompose,
  contacts: englishContacts,
  events: englishEvents,
  invitations: englishInvitations,
  messages: englishMessages,
  moderation: englishModeration,
  notifications: englishNotifications,
  pages: englishPages,
  search: englishSearch,
  security: englishSecurity,
  writing: englishWriting,
};
const GERMAN = {
  audit: germanAudit,
  account: germanAccount,
  announcements: germanAnnouncements,
  details: germanDetails,
  streams: germanStreams,
  admin: germanAdmin,
  compose: germanCompose,
  contacts: germanContacts,
  events: germanEvents,
  invitations: germanInvitations,
  messages: germanMessages,
  moderation: germanModeration,
  notifications: germanNotifications,
  pages: germanPages,
  search: germanSearch,
  security: germanSecurity,
  writing: germanWriting,
};

/** The texts of a catalogue by their path. */
function leavesOf(catalogue: object, above = ""): Map<string, unknown> {
  return new Map(
    Object.entries(catalogue).flatMap(([name, value]: [string, unknown]) =>
      typeof value === "object" && value !== null
        ? [...leavesOf(value, `${above}${name}.`)]
        : [[`${above}${name}`, value] as const],
    ),
  );
}

let kith: PagesServer;
before(async () => {
  kith = await startPagesServer();
});
after(() => kith.close());

test("each text is there in each language, with the same parameters", () => {
  const english = leavesOf(ENGLISH);
  const german = leavesOf(GERMAN);
  assert.deepEqual([...german.keys()].sort(), [...english.keys()].sort());
  for (const [path, text] of english) {
    const other = german.get(path);
    assert.equal(typeof other, typeof text, path);
    if (typeof text !== "function" || typeof other !== "function") {
      assert.match(String(other), /\S/, path);
      continue;
    }
    const said = [text, other].map((it) => {
      const say = it as (...all: unknown[]) => unknown;
      return [String(say(1, 2)), String(say(7, 8))];
    });
    for (const sentences of said)
      for (const sentence of sentences)
        assert.doesNotMatch(sentence, /undefined|NaN|object/, path);
    const depends = said.map(([one, many]) => one !== many);
    if (!path.startsWith("notifications.said."))
      assert.equal(depends[0], depends[1], path);
  }
});

test("visitors read the language of their browser", async () => {
  const guest = visitor(kith.baseUrl);
  for (const [accept, language, words] of [
    ["de-DE,de;q=0.9,en;q=0.5", "de", /Deine Leute, wo immer sie sind/],
    ["en-GB,de;q=0.5", "en", /Your people, wherever they are/],
    ["fr", "en", /Your people/],
  ] as const) {
    const page = await guest.get("/", { "accept-language": accept });
    assert.match(page.text, RegExp(`<html lang="${language}"`));
    assert.match(page.text, words);
    assert.match(page.headers.get("vary") ?? "", /Accept-Language/);
    const gone = await guest.get("/nothing", { "accept-language": accept });
    assert.equal(gone.status, 404);
    assert.match(gone.text, RegExp(`<html lang="${language}"`));
  }
  const refused = await guest.post(
    "/users/sign_up",
    { username: "Ä", password: "lang genug", confirm: "lang genug" },
    { "accept-language": "de" },
  );
  assert.match(refused.text, /Ein Benutzername hat 1 bis 30 Zeichen/);
});

test("the settings of an account go before the browser's", async () => {
  const user = await newUser(kith.baseUrl, "sprachen");
  const fields = hiddenFields(await user.get("/settings"), "/settings");
  const saved = await user.post("/settings", {
    ...{ ...fields, language: "de", time_zone: "Europe/Berlin" },
  });
  assert.match(saved.text, /Deine Einstellungen sind gespeichert/);
  const english = { "accept-language": "en" };
  const stream = await user.get("/home", english);
  assert.match(stream.text, /Was beschäftigt dich\?/);
  assert.match(stream.text, /<html lang="de"/);
  const { id, userId } =
    (await kith.people.find({ handle: `sprachen@${kith.host}` })) ??
    assert.fail();
  const author = { personId: id, userId: userId ?? assert.fail() };
  const { guid } = await kith.posts.publish({
    ...{ author, text: "Zeit", audience: { kind: "everyone" } },
  });
  const page = await user.get(`/posts/${guid}`, english);
  assert.match(page.text, /title="[^"]*(MEZ|MESZ)"/);
  const public_ = await visitor(kith.baseUrl).get(`/posts/${guid}`, english);
  assert.match(public_.text, /title="[^"]*UTC"/);
  for (const wrong of [
    { language: "xx", time_zone: "UTC" },
    { language: "en", time_zone: "Mars/Olympus" },
    {},
  ]) {
    const refused = await user.post("/settings", { ...fields, ...wrong });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Nichts wurde geändert/);
  }
  const forged = await user.post("/settings", {
    ...{ language: "en", time_zone: "UTC" },
  });
  assert.equal(forged.status, 403);
  assert.match(forged.text, /Das wurde nicht angenommen/);
  assert.match((await user.get("/home")).text, /Was beschäftigt dich\?/);
  const led = await visitor(kith.baseUrl).get("/settings");
  assert.equal(led.headers.get("location"), "/users/sign_in?to=%2Fsettings");
});

test("two requests at once keep their languages apart", async () => {
  const guest = visitor(kith.baseUrl);
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const language = n % 2 === 0 ? "de" : "en";
      const page = await guest.get("/users/sign_in", {
        "accept-language": language,
      });
      assert.match(page.text, RegExp(`<html lang="${language}"`));
      const label = language === "de" ? />Benutzername</ : />Username</;
      assert.match(page.text, label);
    }),
  );
});

test("a German page has no English text", async () => {
  const user = await newUser(kith.baseUrl, "verwalter");
  await kith.administration.setRole(null, { username: "verwalter" }, "admin");
  const fields = hiddenFields(await user.get("/settings"), "/settings");
  await user.post("/settings", {
    ...{ ...fields, language: "de", time_zone: "UTC" },
  });
  const other = await newUser(kith.baseUrl, "nachbarin");
  await kith.administration.setRole(
    ...([null, { username: "nachbarin" }, "moderator"] as const),
  );
  const {
    id,
    userId,
    guid: person,
  } = (await kith.people.find({ handle: `nachbarin@${kith.host}` })) ??
  assert.fail();
  const author = { personId: id, userId: userId ?? assert.fail() };
  const post = await kith.posts.publish({
    ...{ author, text: "Hallo", audience: { kind: "everyone" } },
  });
  const { csrf_token } = user;
  const path = `/posts/${post.guid}`;
  await user.post(`${path}/comments`, { csrf_token, text: "Grüße" });
  await user.post(`${path}/bookmark`, { csrf_token });
  await user.post("/home", {
    csrf_token,
    text: "Meins",
    audience: "everyone",
  });
  await user.post(`/people/${person}/follow`, { csrf_token });
  const [, comment = ""] =
    /href="(\/comments\/[^"]+)\/edit"/.exec((await user.get(path)).text) ?? [];
  const english = leavesOf(ENGLISH);
  const german = new Set(leavesOf(GERMAN).values());
  const foreign = [...english.values()].filter(
    (text): text is string => typeof text === "string" && !german.has(text),
  );
  const paths = [
    ...["/", "/home", "/people", "/aspects", "/people/find?q=niemand", path],
    ...["/write", "/drafts", "/search", "/search?q=niemand", "/search?q=has:x"],
    ...["/notifications", "/bookmarks", "/settings", "/settings/security"],
    ...["/messages", "/messages/new", "/settings/profile"],
    ...["/events", "/events?past=true&known=true", "/events/new"],
    ...["/settings/blocks", "/settings/ignores", "/invitations", "/nichts"],
    ...["/u/verwalter", "/u/nachbarin", `${comment}/edit`, `${comment}/delete`],
    ...["/admin", "/admin/registrations", "/admin/accounts", "/admin/hosts"],
    ...[
      "/admin/announcements",
      "/admin/appeals",
      "/admin/held",
      "/admin/bans",
      "/admin/spam",
      "/admin/spam/log",
      "/admin/server",
      "/admin/queue",
      "/admin/audit",
      "/admin/people",
      "/admin/reports",
    ],
    `/report?type=post&guid=${post.guid}`,
    ...["/streams", "/settings/account", "/settings/account/delete"],
    "/settings/strikes",
    "/settings/imports",
    ...["/settings/moving", `${path}/likes`, `${path}/history`],
    `${comment}/likes`,
  ];
  assert.notEqual(comment, "");
  const { text: log } = await user.get("/admin/audit");
  assert.match(log, /Hat eine Rolle geändert[^]*Mitglied → Moderation/);
  const asked = await user.post("/admin/accounts/password", {
    ...{ csrf_token, id: String(userId) },
  });
  assert.match(asked.text, /name="sure" value="yes"/);
  assert.doesNotMatch(asked.text, /class="secret"/);
  const { text: shown } = await user.get(`/admin/people?id=${id}`);
  assert.match(shown, /<dd>\s*Moderation\s*<\/dd>/);
  for (const at of paths) {
    const { text } = await user.get(at, { "accept-language": "en" });
    assert.match(text, /<html lang="de"/, at);
    const nodes = text
      .replaceAll(/<(script|style)[^]*?<\/\1>/g, "")
      .split(/<[^>]*>/)
      .map((node) => node.replaceAll(/\s+/g, " ").trim());
    const shown = new Set(nodes);
    const labels = [
      ...text.matchAll(/(?:aria-label|title|placeholder)="([^"]*)"/g),
    ].map(([, label]) => label);
    const found = foreign.filter(
      (words) =>
        shown.has(words) ||
        labels.includes(words) ||
        (words.length > 20 && nodes.join(" ").includes(words)),
    );
    assert.deepEqual(found, [], at);
  }
  assert.ok(other);
});
