import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import {
  startPagesServer,
  type PagesServer,
} from "../../packages/server/test/support/pages/pages-server.ts";
import {
  listHtmlFaults,
  listViolations,
  loadAxe,
} from "../support/accessibility.ts";
import { checkLayout, launchBrowser } from "../support/browser.ts";

const KIT = "/dev/kit";
const WIDTHS = [320, 1280];
const SCHEMES = ["light", "dark"] as const;

/** Each with an element that it has, and its number of states at least. */
const COMPONENTS = {
  post: ["article.post .head .name", 12],
  "reshare-line": [".why a", 5],
  chip: [".chip", 3],
  "action-bar": ["footer.bar button", 5],
  composer: ["form.composer textarea", 4],
  audience: ["fieldset.audience [type=radio]", 6],
  "photo-grid": [".photos img", 5],
  poll: ["section.poll meter", 5],
  "event-card": [".event-card .date-block", 9],
  "comment-tree": ["article.comment", 3],
  "person-row": [".people .avatar", 2],
  tabs: [".choices [aria-current]", 2],
  field: ["[aria-invalid=true] ~ .fault", 4],
  "error-summary": ["[role=alert] a", 2],
  notice: [".notice[role=status]", 3],
  "empty-state": [".empty li a", 1],
  pagination: [".neighbours [rel=next]", 3],
  table: ["td[data-label]", 1],
  "confirm-page": ["form button", 2],
  progress: ["progress", 2],
} as const;

let kith: PagesServer;
let browser: Browser;
before(async () => {
  // Sequentially, so that the server is closed even without a browser.
  kith = await startPagesServer({ hasKitPage: true });
  browser = await launchBrowser();
});
after(async () => {
  await browser?.close();
  await kith?.close();
});

async function openKit(
  t: { after(done: () => Promise<void>): void },
  width = 1280,
): Promise<Page> {
  const page = await browser.newPage({
    ...{ viewport: { width, height: 800 }, reducedMotion: "reduce" },
  });
  t.after(() => page.close());
  await loadAxe(page.context());
  await page.goto(kith.baseUrl + KIT);
  // Also what is folded is to be looked at.
  await page.evaluate(
    `document.querySelectorAll("main details").forEach((it) => { it.open = !it.closest(".bar"); })`,
  );
  return page;
}

test("the kit has every component with its states", async (t) => {
  const page = await openKit(t);
  for (const [id, [element, states]] of Object.entries(COMPONENTS)) {
    const component = page.locator(`[data-component="${id}"]`);
    assert.ok((await component.locator(element).count()) > 0, id);
    const found = await component.locator("[data-state]").all();
    assert.ok(found.length >= states, `${id} has ${found.length} states`);
    for (const state of found)
      assert.notEqual((await state.innerHTML()).trim(), "", id);
  }
});

test("a server serves the kit only if it is asked to", async (t) => {
  const usual = await startPagesServer();
  t.after(() => usual.close());
  const answer = await fetch(usual.baseUrl + KIT);
  assert.equal(answer.status, 404);
  assert.ok(usual.listRoutes().every(({ path }) => !path.startsWith("/dev")));
});

test("the HTML of the kit is valid in both languages", async () => {
  for (const language of ["en", "de"]) {
    const headers = { "accept-language": language };
    const answer = await fetch(kith.baseUrl + KIT, { headers });
    assert.equal(answer.status, 200);
    const source = await answer.text();
    assert.match(source, RegExp(`<html lang="${language}"`));
    assert.deepEqual(await listHtmlFaults(KIT, source), []);
  }
});

for (const width of WIDTHS)
  test(`every state is accessible at ${width} pixels, in all colours`, async (t) => {
    const page = await openKit(t, width);
    const found: string[] = [];
    const check = async (
      media: Parameters<Page["emulateMedia"]>[0],
      rules: Readonly<Record<string, boolean>> = {},
    ) => {
      await page.emulateMedia({
        ...{ forcedColors: "none", contrast: "no-preference", ...media },
      });
      await checkLayout(page);
      const seen = await listViolations(page, rules);
      found.push(...seen.map((it) => `${JSON.stringify(media)}: ${it}`));
    };
    for (const colorScheme of SCHEMES) {
      await check({ colorScheme });
      // Somebody who asks for more contrast gets that of level AAA.
      await check(
        { colorScheme, contrast: "more" },
        { "color-contrast-enhanced": true },
      );
      // Axe does not see the forced colours of words; they are the reader's own.
      await check(
        { colorScheme, forcedColors: "active" },
        { "color-contrast": false },
      );
    }
    assert.deepEqual(found, []);
  });

test("text of twice the size is not wider than the screen, and nothing is cut", async (t) => {
  for (const width of WIDTHS) {
    const page = await openKit(t, width);
    await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
    await checkLayout(page);
    assert.deepEqual(await listCutWords(page), [], `${width} pixels`);
  }
});

/** Elements that hide a part of their words; those of handles and file names may. */
function listCutWords(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll("main :is(p, a, button, label, legend, h2, h3, h4, td, li, span, summary)")]
    .filter((it) => {
      const { overflowX, overflowY, clipPath } = getComputedStyle(it);
      return clipPath === "none" && !it.matches(".handle") &&
        ((overflowX !== "visible" && it.scrollWidth > it.clientWidth + 1) ||
          (overflowY !== "visible" && it.scrollHeight > it.clientHeight + 1));
    })
    .map((it) => it.outerHTML.slice(0, 200))`);
}

type Style = Record<"border" | "ground" | "ink", string>;

/** How elements of the kit look, as far as forced colours leave it. */
function styleOf(page: Page, selector: string): Promise<Style[]> {
  return page.evaluate<
    Style[]
  >(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((it) => {
    const style = getComputedStyle(it);
    return {
      border: parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== "none"
        ? style.borderTopColor : "",
      ground: style.backgroundColor,
      ink: style.color,
    };
  })`);
}

for (const colorScheme of SCHEMES)
  test(`forced colours leave what can be pressed, and what is chosen, in a ${colorScheme} scheme`, async (t) => {
    const page = await openKit(t);
    await page.emulateMedia({ colorScheme, forcedColors: "active" });
    const all = (selector: string) => styleOf(page, `main ${selector}`);
    const [paper] = await styleOf(page, "body");
    assert.ok(paper);
    for (const bordered of [
      "button:not(.plain)",
      ".button",
      ".chip",
      ".date-block",
      ".reach",
      "input[type=email]",
      "textarea",
      "select",
      ".neighbours a",
    ]) {
      const found = await all(bordered);
      assert.ok(found.length > 0, bordered);
      for (const { border } of found)
        assert.ok(border !== "" && border !== paper.ground, bordered);
    }
    await differ(
      all,
      ".rsvp [aria-pressed=true]",
      ".rsvp [aria-pressed=false]",
    );
    await differ(
      all,
      ".choices [aria-current]",
      ".choices a:not([aria-current])",
    );
    await differInPicture(page, "main meter");
  });

/** A bar is seen from its beginning to its end, and how far it is filled. */
async function differInPicture(page: Page, bar: string): Promise<void> {
  const picture = await page.locator(bar).first().screenshot();
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const middle = Math.floor(height / 2) * width;
  const colourAt = (part: number) => {
    const at = (middle + Math.floor(part * width)) * channels;
    return [...data.subarray(at, at + channels)].join(" ");
  };
  assert.notEqual(colourAt(0.1), colourAt(0.97));
  const outline = await page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(bar)})).outlineStyle`,
  );
  assert.equal(outline, "solid");
}

/** The chosen one has another ground than the others, and its words another colour than that. */
async function differ(
  all: (selector: string) => Promise<Style[]>,
  chosen: string,
  other: string,
): Promise<void> {
  const [[one], [two]] = [await all(chosen), await all(other)];
  assert.ok(one && two, chosen);
  assert.notEqual(one.ground, two.ground, chosen);
  assert.notEqual(one.ground, one.ink, chosen);
}

test("in forced colours the focus is seen, and icons have the colour of their words", async (t) => {
  const page = await openKit(t);
  await page.emulateMedia({ forcedColors: "active" });
  for (const selector of [
    ".bar button",
    ".choices a",
    "input[type=radio]",
    ".rsvp [aria-pressed=true]",
    "textarea",
    ".name a",
  ]) {
    const outline = await outlineOf(page, `main ${selector}`);
    assert.equal(outline.style, "solid", selector);
    assert.ok(outline.width >= 2, `${selector}: ${outline.width}`);
    assert.notEqual(outline.colour, outline.ground, selector);
  }
  const strokes = await page.evaluate<string[]>(`
    [...document.querySelectorAll("main .icon")].filter((it) =>
      getComputedStyle(it).stroke !== getComputedStyle(it.parentElement).color)
      .map((it) => it.parentElement.outerHTML.slice(0, 200))`);
  assert.deepEqual(strokes, []);
});

/** The outline of an element that the keyboard has reached. */
async function outlineOf(page: Page, selector: string) {
  const element = page.locator(selector).first();
  await element.focus();
  // Browsers show the focus of keyboards: the next key says that there is one.
  await page.keyboard.press("Shift");
  return page.evaluate<{
    style: string;
    width: number;
    colour: string;
    ground: string;
  }>(`(() => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement);
    return {
      style: outlineStyle, width: parseFloat(outlineWidth), colour: outlineColor,
      ground: getComputedStyle(document.body).backgroundColor,
    };
  })()`);
}
