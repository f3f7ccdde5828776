// Makes the pages quicker. Each act is a form or a link, which works without this script.

const { lang } = document.documentElement;
const one = (selector) => document.querySelector(selector);
const make = (name) => document.createElement(name);
const on = (name, run) => document.addEventListener(name, run);
// A field may be named "action".
const pathOf = (form, submitter) =>
  submitter?.getAttribute("formaction") ?? form.getAttribute("action");
const byId = (id) => document.getElementById(id);
const ownPlaces = "/parts/unread";

async function load(url, init = {}) {
  const headers = { accept: "text/html" };
  const answer = await fetch(url, { ...init, headers });
  if (!answer.ok) throw new Error(String(answer.status));
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function focusOn(part, preventScroll = false) {
  part.tabIndex = -1;
  part.focus({ preventScroll });
}

/** Runs once calls pause. */
function paused(ms, run) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(...values), ms);
  };
}

// Parts of a page: elements that say with `data-part` where they are read anew.

const partsOf = (path, within = document) => [
  ...within.querySelectorAll(`[data-part="${CSS.escape(path)}"]`),
];

/** Forms of a part lead back to its page. */
function withReturn(path, to) {
  const back = to ?? location.pathname + location.search;
  return `${path}${path.includes("?") ? "&" : "?"}to=${encodeURIComponent(back)}`;
}

const CONTROLS = "a, button, input, textarea, select, summary";

const FOLDS = "details:not(.bar details)";

function keepFolds(part, copy) {
  const before = part.querySelectorAll(FOLDS);
  const folds = copy?.querySelectorAll(FOLDS) ?? [];
  if (folds.length === before.length)
    for (const [at, fold] of before.entries()) folds[at].open ||= fold.open;
}

/** Keeps open folds open, and the focus in place. */
function replacePart(part, next) {
  const copy = document.importNode(next, true);
  const inner = part.querySelectorAll("[data-part]");
  for (const it of inner) keepFolds(it, partsOf(it.dataset.part, copy)[0]);
  if (inner.length === 0) keepFolds(part, copy);
  const isCut = part.querySelector(".clamped > .text");
  if (!isCut) copy.querySelector(".clamped")?.classList.remove("clamped");
  const { activeElement } = document;
  const own = activeElement.closest("[data-part]") ?? part;
  const at = [...own.querySelectorAll(CONTROLS)].indexOf(activeElement);
  const isWithin = part.contains(own);
  part.replaceWith(copy);
  if (at < 0 || !isWithin) return;
  const [there] = own === part ? [copy] : partsOf(own.dataset.part, copy);
  const control = there?.querySelectorAll(CONTROLS)[at];
  if (!control) return focusOn(copy, true);
  control.focus({ preventScroll: true });
}

function putPart(path, page, isReplaced = () => true) {
  const [next] = partsOf(path, page);
  if (!next) throw new Error("The answer has no such part");
  for (const part of partsOf(path))
    if (isReplaced(part)) replacePart(part, next);
}

/** Sends a form of a part, whose answer is the new part. */
async function act(form, submitter) {
  const part = form.closest("[data-part]");
  const path = part.dataset.part;
  const body = new URLSearchParams(new FormData(form, submitter));
  body.set("to", withReturn(path, body.get("to")));
  part.ariaBusy = "true";
  try {
    const action = pathOf(form, submitter);
    putPart(path, await load(action, { method: "POST", body }));
  } finally {
    part.ariaBusy = null;
  }
}

/** As the browser would. Live changes may have replaced the form. */
function sendPlainly(form, submitter) {
  if (submitter?.name) {
    const { name, value } = submitter;
    const field = { type: "hidden", name, value };
    form.append(Object.assign(make("input"), field));
  }
  form.action = pathOf(form, submitter);
  if (!form.isConnected) document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}

on("submit", (event) => {
  const { target: form, submitter } = event;
  if (pathOf(form) === "/users/sign_out") return forgetDrafts();
  if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
  const { draft, sent } = form.dataset;
  const send = sent
    ? sendComment
    : draft
      ? submitter?.value !== "check" && sendPost
      : form.closest("[data-part]") && act;
  if (!send) return;
  event.preventDefault();
  if (form.closest("[aria-busy=true]")) return;
  send(form, submitter).catch(() => sendPlainly(form, submitter));
});

// Live changes, in tabs that are not hidden.

const waiting = new Set();

/** Nobody who is about to act there is disturbed. */
const isAtRest = (part) =>
  (part.dataset.part.startsWith(THREADS) ||
    !part.contains(document.activeElement)) &&
  !part.querySelector("input:checked, .bar details[open]");

function refresh(path) {
  if (waiting.has(path) || partsOf(path).length === 0) return;
  waiting.add(path);
  setTimeout(
    async () => {
      waiting.delete(path);
      const [part] = partsOf(path).filter(isAtRest);
      const to = part?.querySelector("input[name=to]")?.value;
      try {
        if (part) putPart(path, await load(withReturn(path, to)), isAtRest);
      } catch {
        // It stays as it is.
      }
    },
    500 + 500 * Math.random(),
  );
}

const THREADS = "/parts/threads/";
const threadHere = () => one(`[data-part^="${THREADS}"]`)?.dataset.part;

function refreshNews() {
  const news = one('[data-part^="/parts/news"]');
  if (news) refresh(news.dataset.part);
  refresh(ownPlaces);
}

let stream;
function hangUp() {
  stream?.close();
  stream = undefined;
}

function listen() {
  const isWanted = !document.hidden && partsOf(ownPlaces).length > 0;
  if (isWanted === Boolean(stream)) return;
  if (!isWanted) return hangUp();
  stream = new EventSource("/live");
  const hear = (names, run) => {
    for (const name of names)
      stream.addEventListener(name, ({ data }) => run(JSON.parse(data).guid));
  };
  hear(["count", "edit"], (guid) => {
    refresh(`/parts/posts/${guid}`);
    const thread = threadHere();
    if (thread?.startsWith(`${THREADS}${guid}`)) refresh(thread);
  });
  hear(["post", "notification", "message", "reset"], refreshNews);
  hear(["deletion"], (guid) => {
    if (location.pathname.endsWith(`/${guid}`)) return;
    for (const part of partsOf(`/parts/posts/${guid}`)) part.remove();
  });
}

on("visibilitychange", () => {
  listen();
  if (!document.hidden) refreshNews();
});
addEventListener("pagehide", hangUp);
addEventListener("pageshow", listen);

// Times: as `kit/time-view.ts` writes them.

const MINUTE = 60_000;
const UNITS = [
  [1440, "day"],
  [60, "hour"],
  [1, "minute"],
];
const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
setInterval(() => {
  for (const time of document.querySelectorAll("time[title]")) {
    const minutes = Math.floor((Date.now() - new Date(time.dateTime)) / MINUTE);
    if (minutes < 1 || minutes >= 7 * 24 * 60) continue;
    const [n, unit] = UNITS.find(([most]) => minutes >= most);
    time.textContent = relative.format(-Math.floor(minutes / n), unit);
  }
}, MINUTE);

// Pictures and the list of keys, in dialogs.

async function dialogOf(id) {
  if (!byId(id))
    document.body.append(...(await load("/parts/dialogs")).body.children);
  return byId(id);
}

async function openPicture(link) {
  const links = [...link.closest(".photos").querySelectorAll("a:has(> img)")];
  const viewer = await dialogOf("viewer");
  const picture = viewer.querySelector("img");
  const steps = viewer.querySelectorAll("[data-step]");
  let at = links.indexOf(link);
  const show = (step) => {
    at = (at + step + links.length) % links.length;
    const shown = links[at].querySelector("img");
    const isHere = links[at].origin === location.origin;
    picture.src = isHere ? links[at].href : shown.currentSrc;
    picture.alt = shown.alt;
    picture.onerror = () => {
      picture.onerror = null;
      picture.src = shown.currentSrc;
    };
    viewer.querySelector("figcaption").textContent = shown.alt;
    viewer.querySelector("output").value = `${at + 1} / ${links.length}`;
  };
  for (const button of steps) {
    button.hidden = links.length < 2;
    button.onclick = () => show(Number(button.dataset.step));
  }
  viewer.onkeydown = ({ key }) => {
    const isBack = (key === "ArrowLeft") === (document.dir !== "rtl");
    if (key.startsWith("Arrow") && links.length > 1 && /Left|Right/.test(key))
      show(isBack ? -1 : 1);
  };
  viewer.onclick = ({ target }) => target === viewer && viewer.close();
  viewer.onclose = () => {
    picture.removeAttribute("src");
    links[at].focus({ preventScroll: true });
  };
  show(0);
  viewer.showModal();
}

on("click", (event) => {
  const link = event.target.closest?.(".read-on, .photos a:has(> img)");
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
  if (!link || !isPlain || event.button !== 0 || event.defaultPrevented) return;
  event.preventDefault();
  const cut = link.closest(".clamped");
  cut?.classList.remove("clamped");
  if (cut) return focusOn(cut, true);
  openPicture(link).catch(() => location.assign(link.href));
});

// The forms for a text: kept in this browser, and sent with their progress.

const KEPT = "kith draft ";
const keyOf = (form) => KEPT + form.dataset.draft;

function forgetDrafts() {
  for (const key of Object.keys(localStorage))
    if (key.startsWith(KEPT)) localStorage.removeItem(key);
}

const typedIn = (form) =>
  [...new FormData(form)].filter(
    ([name, value]) =>
      typeof value === "string" && !/^(csrf_token|photo_id|draft)$/.test(name),
  );

const keepDraft = paused(300, (form) => {
  const { text } = form.elements;
  try {
    if (text.value.trim() === "") localStorage.removeItem(keyOf(form));
    else localStorage.setItem(keyOf(form), JSON.stringify(typedIn(form)));
  } catch {
    // Storage is full.
  }
});

function restoreDraft(form) {
  const kept = localStorage.getItem(keyOf(form));
  if (!kept || form.elements.text.value !== "") return;
  const fields = new Map();
  for (const [name, value] of JSON.parse(kept))
    fields.set(name, [...(fields.get(name) ?? []), value]);
  for (const field of form.querySelectorAll("input, textarea, select")) {
    const values = fields.get(field.name) ?? [];
    if (["radio", "checkbox"].includes(field.type))
      field.checked = values.includes(field.value);
    else if (!["hidden", "file"].includes(field.type) && values.length > 0)
      field.value = values[0];
  }
  say(form, form.dataset.restored);
}

function say(form, words) {
  const note = form.querySelector("small[role]") ?? make("small");
  note.role = "status";
  note.textContent = words;
  form.elements.text.after(note);
}

/** Sends a comment, whose answer is the list in which it stands. */
async function sendComment(form, submitter) {
  const here = threadHere();
  const body = new FormData(form, submitter);
  body.set("to", withReturn(here, body.get("to")));
  form.ariaBusy = "true";
  let page;
  try {
    page = await load(pathOf(form), { method: "POST", body });
  } finally {
    form.ariaBusy = null;
  }
  localStorage.removeItem(keyOf(form));
  form.reset();
  form.elements.text.value = "";
  form.elements.once.value += "+";
  const [id] = [...page.querySelectorAll(".comment")]
    .map((it) => it.id)
    .filter((it) => !byId(it))
    .slice(-1);
  const isHere = partsOf(here, page).length > 0 && !form.elements.answer;
  if (!isHere) return location.assign(`/comments/${id}`);
  putPart(here, page);
  say(form, form.dataset.sent);
  byId(id)?.scrollIntoView({ block: "nearest" });
}

/** The people who would get it. The old sentence goes at once. */
async function readReach(form) {
  const place = form.querySelector("[data-reach]");
  const button = form.querySelector("[data-publish]");
  if (!place) return;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (/^(csrf_token|text|audience|aspect)$/.test(name))
      body.append(name, value);
  const asked = body.toString();
  form.dataset.asked = asked;
  let found;
  try {
    found = (await load("/parts/reach", { method: "POST", body })).body;
  } catch {
    // Nothing is said.
  }
  if (form.dataset.asked !== asked) return;
  const reach = found?.firstElementChild;
  place.replaceChildren(...(reach?.children ?? []));
  button.textContent = reach?.dataset.label ?? button.dataset.publish;
}

const readReachSoon = paused(600, readReach);

/** Sends a post with its pictures. What the server refuses is shown in place of the form. */
async function sendPost(form, submitter) {
  form.ariaBusy = "true";
  const bar = make("progress");
  bar.ariaLabel = submitter?.textContent;
  const hasFiles = [...form.querySelectorAll("[type=file]")].some(
    ({ files }) => files.length > 0,
  );
  if (hasFiles) form.querySelector(".actions").prepend(bar);
  try {
    const request = await upload(form, submitter, bar);
    const { status, responseURL, response } = request;
    const { pathname } = new URL(responseURL);
    const isRefused =
      [413, 422].includes(status) || (pathname === "/write" && status < 300);
    if (isRefused) return showInstead(response, pathname === pathOf(form));
    if (status >= 300) throw new Error(String(status));
    localStorage.removeItem(keyOf(form));
    // Nothing typed a moment ago is kept, either.
    form.elements.text.value = "";
    if (responseURL === location.href) location.reload();
    else location.assign(responseURL);
  } finally {
    form.ariaBusy = null;
    bar.remove();
  }
}

function upload(form, submitter, bar) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", pathOf(form));
    request.setRequestHeader("accept", "text/html");
    request.responseType = "document";
    request.upload.onprogress = ({ loaded, total }) => {
      bar.max = total;
      bar.value = loaded;
    };
    request.onload = () => resolve(request);
    request.onerror = reject;
    request.send(new FormData(form, submitter));
  });
}

function showInstead(page, isSamePage) {
  const main = page?.querySelector("main");
  if (!main || !isSamePage) throw new Error("The answer is another page");
  one("main").replaceWith(main);
  document.title = page.title;
  main.querySelectorAll("form[data-draft]").forEach(beginForm);
  const note = main.querySelector("[role=alert], [role=status]") ?? main;
  focusOn(note);
}

/** Pictures that are pasted or dropped are attached. */
function attach(form, { files }, event) {
  const field = form.querySelector("[type=file]");
  const pictures = [...files].filter(({ type }) => type.startsWith("image/"));
  if (!field || pictures.length === 0) return;
  event.preventDefault();
  const all = new DataTransfer();
  for (const file of [...field.files, ...pictures]) all.items.add(file);
  field.files = all.files;
  const fold = field.closest("details");
  if (fold) fold.open = true;
}

function beginForm(form) {
  restoreDraft(form);
  form.addEventListener("input", ({ target }) => {
    keepDraft(form);
    if (["audience", "aspect"].includes(target.name))
      form.querySelector("[data-reach]")?.replaceChildren();
    readReachSoon(form);
  });
  form.addEventListener("dragover", (event) => event.preventDefault());
  for (const name of ["paste", "drop"])
    form.addEventListener(name, (event) =>
      attach(form, event.clipboardData ?? event.dataTransfer, event),
    );
}

// Completed names of people and tags.

const BEGINNING = /(?<=^|\s)[@#][\p{L}\p{N}_.@-]{2,60}$/u;
let choices;

const beginningIn = ({ value, selectionStart }) =>
  BEGINNING.exec(value.slice(0, selectionStart))?.[0];

function closeChoices() {
  choices?.field.removeAttribute("aria-activedescendant");
  choices?.list.remove();
  choices = undefined;
}

const complete = paused(200, async (field) => {
  const typed = beginningIn(field);
  if (!typed) return closeChoices();
  const query = new URLSearchParams({ q: typed });
  const page = await load(`/parts/completions?${query}`).catch(() => undefined);
  const list = page?.body.firstElementChild;
  closeChoices();
  if (!list?.children.length || beginningIn(field) !== typed) return;
  field.after(list);
  choices = { field, list, typed };
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    choose(event.target.closest("[role=option]"));
  });
  mark(list.firstElementChild);
});

function mark(option) {
  for (const it of choices.list.children)
    it.ariaSelected = String(it === option);
  choices.field.setAttribute("aria-activedescendant", option.id);
  choices.marked = option;
}

function choose(option) {
  if (!option) return;
  const { field, typed } = choices;
  const end = field.selectionStart;
  const word = `${option.dataset.value} `;
  field.setRangeText(word, end - typed.length, end, "end");
  closeChoices();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

on("input", ({ target }) => {
  if (target.matches("form.write textarea[name=text]")) complete(target);
});
on("focusout", ({ target }) => {
  if (target === choices?.field) closeChoices();
});
on("keydown", (event) => {
  if (!choices || event.target !== choices.field) return;
  const { marked, list } = choices;
  const { key } = event;
  if (key === "ArrowDown")
    mark(marked.nextElementSibling ?? list.firstElementChild);
  else if (key === "ArrowUp")
    mark(marked.previousElementSibling ?? list.lastElementChild);
  else if (key === "Enter" || key === "Tab") choose(marked);
  else if (key === "Escape") closeChoices();
  else return;
  event.preventDefault();
});

// Keys, which readers can switch off.

const THINGS = "article.post:not(.post .post), article.comment, .agenda-item";
const KEYS_OFF = "kith keys off";

function move(step) {
  const things = [...document.querySelectorAll(THINGS)];
  const current = document.activeElement.closest(THINGS);
  const next = things[things.indexOf(current) + step];
  if (!next) return;
  focusOn(next);
}

const press = (...acts) => {
  const buttons = acts.map((act) => `[formaction$="/${act}"]`).join();
  const current = document.activeElement.closest(THINGS);
  current?.querySelector(buttons)?.click();
};

async function showKeys() {
  const dialog = await dialogOf("keys");
  const isOff = dialog.querySelector("[type=checkbox]");
  isOff.checked = localStorage.getItem(KEYS_OFF);
  isOff.onchange = () =>
    localStorage.setItem(KEYS_OFF, isOff.checked ? "1" : "");
  dialog.showModal();
}

const PLACES = { h: "/home", e: "/events", n: "/notifications", w: "/write" };
const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  l: () => press("like", "unlike"),
  r: () => press("reshare", "unreshare"),
  b: () => press("bookmark", "unbookmark"),
  c: () => one("form.write textarea")?.focus(),
  "/": () => one(".finder input")?.focus(),
  ".": () => one("a.news")?.click(),
  "?": showKeys,
};
let lastKey;

on("keydown", (event) => {
  const { key, target } = event;
  const isTyped = target.closest?.("input, textarea, select, dialog");
  if (isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = lastKey === "g" ? PLACES[key] : undefined;
  lastKey = key;
  const run = place ? () => location.assign(place) : KEYS[key];
  if (!run || (key !== "?" && localStorage.getItem(KEYS_OFF))) return;
  event.preventDefault();
  run();
});

document.querySelectorAll("form[data-draft]").forEach(beginForm);
// The chosen tab is in sight on a phone.
const chosen = one(".choices [aria-current]");
if (chosen) {
  const { parentElement: tabs, offsetLeft } = chosen;
  tabs.scrollLeft = offsetLeft - tabs.offsetLeft - 16;
}
listen();
const zone = one("[data-zone]");
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
// Home is kept for reading without network.
if (one(".places"))
  navigator.serviceWorker?.register("/offline-worker.js").catch(() => {});
