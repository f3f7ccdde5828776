import { icalOf } from "../../packages/server/test/support/caldav/calendar-program.ts";
import assert from "node:assert/strict";
import sharp from "sharp";
import type { PagesServer } from "../../packages/server/test/support/pages/pages-server.ts";
import {
  newUser,
  visitor,
  type PageResponse,
} from "../../packages/server/test/support/pages/visit.ts";
import {
  appOf,
  secretOn,
} from "../../packages/server/test/support/sign-in/second-factor.ts";
import {
  authorizeUrl,
  getAppToken,
  registerClient,
} from "../../packages/server/test/support/sign-in/oauth-app.ts";
import { systemClock } from "../../packages/server/src/lib/time/clock.ts";
import { readRecording } from "../../packages/server/test/support/recordings.ts";

type User = Awaited<ReturnType<typeof newUser>>;

/** The pages of a server with a little life, each by the path of its route. */
export type FilledPages = {
  /** Reads all of them, and is an admin. */
  readonly reader: User;
  /** Read without a session, but with a password given. */
  readonly forVisitors: ReadonlyMap<string, string>;
  readonly visitorCookies: string;
  readonly forReader: ReadonlyMap<string, string>;
};

/** It has no route: its page is that of an error. */
export const NOWHERE = "/no/such/page";

/** Routes whose answer is no page: they lead on, or need another state. */
const NO_PAGES = new Set([
  // Without terms: test/e2e/pages-about.test.ts.
  "/about/terms",
  // Files: test/e2e/pages-look.test.ts.
  "/about/picture/:name",
  "/about/style/:name",
  "/.well-known/change-password",

  "/link",
  "/authorize_interaction",
  "/interact",
  "/contacts",
  "/comments/:guid",
  "/stream",
  "/setup",
  "/share",
  "/notifications/open",
  "/bookmarklet",
  // They need the token of a mail: packages/server/test/api/mail-addresses.test.ts.
  "/mail/confirm",
  "/mail/unsubscribe",
  "/users/password/new",
]);

const ADMIN = [
  ...["", "/registrations", "/accounts", "/hosts", "/queue", "/audit"],
  ...["/people", "/reports", "/invitations", "/server", "/announcements"],
  ...["/bans", "/appeals", "/held", "/spam", "/spam/log"],
].map((below) => `/admin${below}`);

/**
 * Fills a server: people who follow, write, answer and report.
 * @returns a path for each page
 */
export async function fillPages(kith: PagesServer): Promise<FilledPages> {
  const reader = await newUser(kith.baseUrl, "ann");
  const other = await newUser(kith.baseUrl, "ben");
  await kith.administration.setRole(null, { username: "ann" }, "admin");
  const { guid: otherGuid } = await personOf(kith, other);
  await send(other, "/home", { text: "A reply is *welcome*. #garden" });
  await send(reader, `/people/${otherGuid}/follow`, {});
  const made = await send(reader, "/aspects", { name: "Family" });
  const [aspect = ""] = (made.headers.get("location") ?? "").split("?");
  await askToFollow(kith, reader);
  const post = await writePost(kith, reader);
  const { event, own, conversation } = await meetOthers(kith, reader, other);
  for (const act of ["like", "reshare", "bookmark"])
    await send(other, `${post}/${act}`, { to: "/home" });
  await send(reader, `${post}/bookmark`, { to: "/home" });
  await send(other, `${post}/comments`, { text: "Gladly, with two baskets." });
  await send(reader, `${post}/comments`, { text: "See you there." });
  const saved = {
    text: "Not yet",
    act: "save",
    publish_at: "2027-12-31T18:30",
  };
  await send(reader, "/write", saved);
  await send(reader, "/write", { ...saved, act: "publish" });
  const page = await reader.get(post);
  const [, comment = ""] =
    /href="(\/comments\/[^"]+)\/edit"/.exec(page.text) ?? [];
  const filter = await makeFilter(reader);
  const calendar = await makeCalendar(reader);
  const subscribed = await subscribe(kith, reader);
  const stream = await makeStream(reader);
  const text = "The server **rests** on Sunday.";
  await send(reader, "/admin/announcements/publish", { text });
  for (const text of ["See you there!", "See you *there*."])
    await send(reader, `${comment}/edit`, { text });
  const [picture = ""] =
    /\/photos\/[0-9a-f]{32}/.exec((await reader.get("/photos")).text) ?? [];
  const app = await registerClient(kith.baseUrl, {
    website: "https://reader.example/about",
  });
  await getAppToken(kith.baseUrl, reader, "read", app);
  await getAppToken(kith.baseUrl, reader, "push write:media");
  const reported = { person: otherGuid, category: "other" };
  await send(reader, "/settings/servers/block", { host: "rude.example" });
  await send(other, "/home", { text: "Another basket of #cherries" });
  await send(reader, "/tags/garden/follow", {});
  // A reported text may be wider than a page.
  await send(other, "/home", { text: `All \`${"on one line ".repeat(30)}\`` });
  const written = (await reader.get(`/people/${otherGuid}`)).text;
  const [, post1 = ""] = /href="\/posts\/([^"#/]+)/.exec(written) ?? [];
  const spam = { post: post1, category: "spam", text: "Rude." };
  await send(reader, "/report", spam);
  await send(reader, "/report", { ...reported, text: "Rude." });
  return {
    reader,
    visitorCookies: await givePassword(kith),
    forVisitors: byRoute({
      "/": "/",
      "/users/sign_in": "/users/sign_in?to=%2Fcontacts",
      "/users/sign_in/second": "/users/sign_in/second",
      "/users/sign_up": "/users/sign_up",
      "/users/password": "/users/password",
      "/api/docs": "/api/docs",
      "/about": "/about",
      "/offline": "/offline",
      "/u/:username": "/u/ann",
      "/posts/:guid": post,
      [NOWHERE]: NOWHERE,
    }),
    forReader: byRoute({
      "/": "/",
      "/posts/:guid": post,
      "/posts/:guid/edit": `${post}/edit`,
      "/posts/:guid/delete": `${post}/delete`,
      ...Object.fromEntries(
        ["likes", "history", "deliveries"].map((name) => [
          `/posts/:guid/${name}`,
          `${post}/${name}`,
        ]),
      ),
      "/comments/:guid/likes": `${comment}/likes`,
      "/comments/:guid/history": `${comment}/history`,
      "/events/:guid/history": `${own}/history`,
      "/streams/:id": stream,
      "/comments/:guid/edit": `${comment}/edit`,
      "/comments/:guid/delete": `${comment}/delete`,
      "/events/:guid": event,
      "/events/:guid/edit": `${own}/edit`,
      "/events/:guid/delete": `${own}/delete`,
      "/messages/:guid": conversation,
      "/messages/new": "/messages/new",
      "/people/:guid": `/people/${otherGuid}`,
      "/u/:username": "/u/ann",
      "/tags/:tag": "/tags/garden",
      "/settings/filters/:id": filter,
      "/settings/calendars/:id/delete": calendar,
      "/calendar/subscribed/:id/:name": subscribed,
      "/photos/:guid": picture,
      "/aspects/:id": aspect,
      "/aspects/:id/delete": `${aspect}/delete`,
      "/people/find": "/people/find?q=ben",
      "/people/requests": "/people/requests",
      "/write": "/write?text=Hello",
      "/oauth/authorize": authorizeUrl(app, { scope: "read write push" }),
      "/drafts": "/drafts",
      "/search": "/search?q=welcome",
      "/report": `/report?person=${otherGuid}`,
      "/admin/reports/:id": "/admin/reports?id=1",
      ...Object.fromEntries(
        [
          ...[
            "/home",
            "/offline",
            "/calendar",
            "/photos",
            "/welcome",
            "/about",
            "/about/privacy",
            "/settings/servers",
            "/settings/calendars",
            "/settings/filters",
            "/settings/filters/new",
            "/events",
            "/events/new",
            "/notifications",
            "/messages",
            "/people",
            "/aspects",
          ],
          ...["/bookmarks", "/settings", "/settings/profile", "/invitations"],
          ...["/settings/privacy"],
          ...["/settings/security", "/settings/blocks", "/settings/ignores"],
          ...["/settings/account", "/settings/account/delete"],
          ...["/settings/moving", "/streams", "/settings/apps"],
          "/settings/notifications",
          "/settings/mail",
          "/settings/strikes",
          "/settings/imports",
          ...ADMIN,
        ].map((path) => [path, path]),
      ),
    }),
  };
}

function byRoute(paths: Readonly<Record<string, string>>): Map<string, string> {
  for (const [route, path] of Object.entries(paths))
    assert.match(path, /^\//, `${route} has no page`);
  return new Map(Object.entries(paths));
}

/** The routes that answer with pages. */
export function listPageRoutes(kith: PagesServer): string[] {
  return kith
    .listRoutes()
    .filter(({ method, path }) => method === "GET" && isOfPage(path))
    .map(({ path }) => path);
}

function isOfPage(path: string): boolean {
  const isFile =
    /\.(atom|rss|ics|js|txt|json|xml|png|webmanifest)$|\*|^\/(\.well-known|assets|parts|live|(api\/)?oembed|embed|dav|fetch|hcard|media|nodeinfo|oauth\/userinfo|proxy|uploads|healthz|readyz)\b/;
  return (
    !isFile.test(path) &&
    !NO_PAGES.has(path) &&
    !/^\/api\/v|\/stream$/.test(path)
  );
}

async function send(
  by: User,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<PageResponse> {
  const { csrf_token } = by;
  const done = await by.post(path, {
    csrf_token,
    audience: "everyone",
    ...fields,
  });
  assert.ok(done.status < 400, `${path}: ${done.status}`);
  return done;
}

/** The reader folds posts with a word. @returns the path of the filter */
async function makeFilter(reader: User): Promise<string> {
  await send(reader, "/settings/filters/new", {
    ...{ title: "No baskets", parts: "basket", context: "home" },
    ...{ action: "warn", until: "2127-01-31T18:30" },
  });
  const { text } = await reader.get("/settings/filters");
  return /\/settings\/filters\/\d+/.exec(text)?.[0] ?? "";
}

/** @returns its path */
async function makeStream(reader: User): Promise<string> {
  const made = await send(reader, "/streams", {
    ...{ name: "Harvest", tags: "garden, cherries" },
  });
  return made.headers.get("location") ?? "";
}

/** @returns the path of the page that deletes it */
async function makeCalendar(reader: User): Promise<string> {
  await send(reader, "/settings/calendars/create", { name: "Garden" });
  const { text } = await reader.get("/settings/calendars");
  return /\/settings\/calendars\/\d+\/delete/.exec(text)?.[0] ?? "";
}

/** @returns the path of an event of a calendar of another server */
async function subscribe(kith: PagesServer, reader: User): Promise<string> {
  const { subscribedCalendars } = kith;
  const { userId } = await personOf(kith, reader);
  assert.ok(userId !== null);
  const text = icalOf("game", "SUMMARY:Home game", "LOCATION:Stadium");
  const found = await subscribedCalendars.subscribe(
    userId,
    { url: "https://club.example/games.ics", name: "The club" },
    async () => ({
      ...{ kind: "read", bytes: Buffer.from(text) },
      ...{ etag: null, lastModified: null },
    }),
  );
  assert.ok(typeof found !== "string");
  const part = { after: undefined, limit: 1 };
  const [game] = await subscribedCalendars.objects.list(found.id, part);
  return `/calendar/subscribed/${found.id}/${game?.name}`;
}

/** The reader approves followers, and one waits for the answer. */
async function askToFollow(kith: PagesServer, reader: User): Promise<void> {
  await send(reader, "/settings/privacy", {
    ...{ audience: "everyone", quotable_by: "everyone", locked: "true" },
  });
  const asker = await newUser(kith.baseUrl, "dora");
  const { guid } = await personOf(kith, reader);
  await send(asker, `/people/${guid}/follow`, {});
  const page = await reader.get("/people/requests");
  assert.match(page.text, /dora/);
}

/** Somebody with a second factor has given the password. @returns the cookies */
async function givePassword(kith: PagesServer): Promise<string> {
  const { csrf_token, password, username, ...user } = await newUser(
    kith.baseUrl,
    "cleo",
  );
  const path = "/settings/security/second_factor";
  const begun = await user.post(path, { csrf_token, password });
  const code = appOf({ clock: systemClock }, secretOn(begun.text)).code();
  await user.post(`${path}/confirm`, { csrf_token, password, code });
  const guest = visitor(kith.baseUrl);
  const given = await guest.post("/users/sign_in", { username, password });
  assert.match(given.headers.get("location") ?? "", /second/);
  return guest.cookies();
}

async function personOf(kith: PagesServer, { username }: User) {
  const person = await kith.people.find({ handle: `${username}@${kith.host}` });
  return person ?? assert.fail();
}

/** A post with everything a post can have. @returns its path */
async function writePost(kith: PagesServer, by: User): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    csrf_token: by.csrf_token,
    text: "# Cherries\n\n**Who picks on Saturday?** [Map](https://maps.example/) #garden\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> Quoted\n\n- one\n- two",
    audience: "everyone",
    photo_text: "A basket of cherries\nA tree\nThe wind in the tree",
    question: "Which day?",
    answers: "Saturday\nSunday",
  }))
    form.append(name, value);
  for (const red of [200, 250]) {
    const create = { width: 300, height: 200, channels: 3 } as const;
    const background = { r: red, g: 30, b: 60 };
    const bytes = await sharp({ create: { ...create, background } })
      .png()
      .toBuffer();
    form.append("photo", new Blob([Uint8Array.from(bytes)]), "a.png");
  }
  for (const name of ["video.webm", "sound.mp3"] as const)
    form.append(
      "photo",
      new Blob([Uint8Array.from(readRecording(name))]),
      name,
    );
  const headers = { cookie: by.cookies(), accept: "text/html" };
  const init = {
    method: "POST",
    body: form,
    headers,
    redirect: "manual",
  } as const;
  const done = await fetch(`${kith.baseUrl}/home`, init);
  assert.equal(done.status, 302);
  const { id, userId } = await personOf(kith, by);
  const author = { personId: id, userId: userId ?? assert.fail() };
  const [post] = await kith.posts.listOf(id, author, { offset: 0, limit: 1 });
  return `/posts/${post?.guid}`;
}

/** @returns the paths of two events and of a conversation */
async function meetOthers(kith: PagesServer, reader: User, other: User) {
  const { id, userId } = await personOf(kith, other);
  const event = await kith.events.create({
    owner: { personId: id, userId: userId ?? assert.fail() },
    ...{ summary: "Repair café", description: "Bring *broken* things." },
    ...{ location: "Old Mill", timeZone: "Asia/Tokyo", announce: true },
    ...{ start: "2127-06-12T14:00", end: "2127-06-12T18:00" },
  });
  const planned = await send(reader, "/events/new", {
    ...{ summary: "Harvest", start_day: "2127-09-01", all_day: "true" },
    ...{ time_zone: "Europe/Berlin", location: "Orchard" },
  });
  const to = `${reader.username}@${kith.host}`;
  const message = { to, subject: "Sunday", text: "Are you coming?" };
  const sent = await send(other, "/messages", message);
  return {
    event: `/events/${event.guid}`,
    own: planned.headers.get("location") ?? "",
    conversation: sent.headers.get("location") ?? "",
  };
}
