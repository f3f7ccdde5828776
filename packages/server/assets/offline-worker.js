// Keeps one Home page, one page for the time without network, and what both need to look as they
// do. Everything comes from the network while there is one, and is passed on as it came.

/** The server writes it in front of this script. */
const { shell, version } = self.kith;

const SHELLS = "kith shell ";
const SHELL = SHELLS + version;
/** Of one account alone. */
const PAGES = "kith pages";
const HOME = "/home";
const OFFLINE = "/offline";
const READER = "kith-reader";
const NOBODY = "-";

/** Answers for programs and frames, files, and streams that go on: none of them is a page. */
const NO_PAGES =
  /^\/(?:api|assets|dav|embed|live|media|oauth|parts|proxy|uploads)\/|\.\w{1,11}$/;

const shellPaths = new Set(shell.map((it) => it.split("?", 1)[0]));
let forgotten = 0;

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { method, mode, destination } = request;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== self.location.origin) return;
  const isPage = mode === "navigate" && destination === "document";
  if (isPage && method === "POST") {
    // Signed in as somebody, or out: what is kept is not theirs.
    if (pathname.startsWith("/users/sign_")) event.waitUntil(forget());
  } else if (method !== "GET") return;
  else if (isPage) {
    if (!NO_PAGES.test(pathname))
      event.respondWith(answerPage(event, pathname + search === HOME));
  } else if (shellPaths.has(pathname) && search.startsWith("?v="))
    event.respondWith(answerShell(request));
});

async function keepShell() {
  const cache = await caches.open(SHELL);
  await cache.addAll(shell);
  await self.skipWaiting();
}

async function takeOver() {
  await self.clients.claim();
  for (const name of await caches.keys())
    if (name.startsWith(SHELLS) && name !== SHELL) await caches.delete(name);
  // Requests of pages wait until this is done, and shall not wait for the network.
  void keepFirstHome().catch(() => {});
}

/** The page that registered this worker was loaded without it. */
async function keepFirstHome() {
  const begun = forgotten;
  const home = await load(HOME);
  await (await caches.open(PAGES)).delete(OFFLINE);
  await learn(home, true, begun);
}

const load = (path) =>
  fetch(path, { headers: { accept: "text/html" }, redirect: "manual" });

async function answerPage(event, isHome) {
  const begun = forgotten;
  let answer;
  try {
    answer = await fetch(event.request);
  } catch (error) {
    const kept = await withoutNetwork(isHome).catch(() => undefined);
    if (kept) return kept;
    throw error;
  }
  // Where nothing can be kept, for want of room or leave, nothing is said.
  const seen = isHome ? answer.clone() : answer;
  event.waitUntil(learn(seen, isHome, begun).catch(() => {}));
  return answer;
}

/** With an older version, so that a page that was kept before an update has a style, too. */
async function answerShell(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(SHELL);
    const kept = await cache.match(request, {
      ...{ ignoreSearch: true, ignoreVary: true },
    });
    if (kept) return kept;
    throw error;
  }
}

const find = async (path) =>
  (await caches.open(PAGES)).match(path, { ignoreVary: true });

async function withoutNetwork(isHome) {
  const home = isHome ? await find(HOME) : undefined;
  if (!home) return find(OFFLINE);
  const text = await home.text();
  return new Response(text.replace("<p hidden data-copy", "<p data-copy"), {
    headers: home.headers,
  });
}

const nameOf = ({ headers }) => headers.get(READER)?.split(" ", 1)[0];

/**
 * Forgets what is kept if the answer is for somebody else, and keeps it if it is Home. An answer
 * that names no reader says nothing, such as that of a server that fails.
 */
async function learn(answer, isHome, begun) {
  if (isHome && answer.type === "opaqueredirect") return forget();
  const name = nameOf(answer);
  if (name === undefined) return;
  let known = begun;
  const kept = await find(HOME);
  if (kept && nameOf(kept) !== name) {
    await forget();
    known = forgotten;
  }
  if (!isHome || name === NOBODY || answer.status !== 200) return;
  await keepHome(answer);
  // Somebody has signed out in the meantime.
  if (known !== forgotten) await forget();
}

async function keepHome(answer) {
  const cache = await caches.open(PAGES);
  await cache.put(HOME, answer);
  const reader = answer.headers.get(READER);
  const before = await cache.match(OFFLINE, { ignoreVary: true });
  if (before?.headers.get(READER) === reader) return;
  const page = await load(OFFLINE);
  if (page.ok && page.headers.get(READER) === reader)
    await cache.put(OFFLINE, page);
}

async function forget() {
  forgotten += 1;
  await caches.delete(PAGES);
}
