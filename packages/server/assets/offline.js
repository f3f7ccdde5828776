// Fills the page that is seen without network: with the way to the kept Home page, and with what
// its reader has typed in this browser. Nobody else's texts are shown, and texts as texts alone.

const KEPT = "kith draft ";
const TYPED = /^(?:text|warning|question|answers|photo_text)$/;

/** The reader of the Home page that the worker keeps. */
async function findReader() {
  if (!("caches" in window)) return undefined;
  const home = await caches.match("/home", { ignoreVary: true });
  return home?.headers.get("kith-reader")?.split(" ", 1)[0];
}

/** The unsent post, comments and messages of a reader. */
const draftsOf = (reader) =>
  Object.keys(localStorage)
    .filter((key) => `${key} `.startsWith(`${KEPT}${reader} `))
    .flatMap(textsOf);

/** The texts of the fields of a form, as `kith.js` keeps them. */
function textsOf(key) {
  try {
    return JSON.parse(localStorage.getItem(key))
      .filter(([name, value]) => TYPED.test(name) && value.trim() !== "")
      .map(([, value]) => String(value));
  } catch {
    return [];
  }
}

function showDraft(section, texts) {
  const [about, none] = section.querySelectorAll("p");
  about.hidden = texts.length === 0;
  none.hidden = texts.length > 0;
  for (const text of texts) {
    const shown = document.createElement("p");
    shown.className = "draft";
    shown.dir = "auto";
    shown.textContent = text;
    section.append(shown);
  }
  section.hidden = false;
}

const reader = await findReader().catch(() => undefined);
if (reader !== undefined) {
  document.querySelector("[data-home]").hidden = false;
  showDraft(document.querySelector("[data-drafts]"), draftsOf(reader));
}
