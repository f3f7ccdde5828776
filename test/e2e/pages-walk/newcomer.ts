import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import type { Language } from "../../../packages/server/src/lib/messages/messages.ts";
import { pageTexts } from "../../../packages/server/src/pages/languages/texts.ts";
import { checkLayout, listenForComplaints } from "../../support/browser.ts";
import { eventually } from "../../support/kith-process.ts";

/** How somebody looks at the pages. */
export type Sight = {
  readonly language: Language;
  readonly hasScript: boolean;
  /** Of the screen. */
  readonly width: number;
};

/**
 * A new person in front of a browser. The texts are those of the language in which the
 * test runs. Everything is done by what the pages show, and each page is checked.
 */
export class Newcomer {
  readonly username: string;
  readonly password = "correct horse";
  readonly sight: Sight;
  readonly page: Page;
  readonly complaints: readonly string[];

  static async arrive(
    browser: Browser,
    username: string,
    sight: Sight,
  ): Promise<Newcomer> {
    const context = await browser.newContext({
      viewport: { width: sight.width, height: 800 },
      locale: sight.language,
      javaScriptEnabled: sight.hasScript,
    });
    context.setDefaultTimeout(60_000);
    return new Newcomer(username, sight, await context.newPage());
  }

  private constructor(username: string, sight: Sight, page: Page) {
    this.username = username;
    this.sight = sight;
    this.page = page;
    this.complaints = listenForComplaints(page);
  }

  get main(): Locator {
    return this.page.getByRole("main");
  }

  get #places(): Locator {
    const name = pageTexts.mainNavigation;
    return this.page.getByRole("navigation", { name, exact: true });
  }

  /** The post with this text; the newest, if it was reshared. */
  post(text: string): Locator {
    return this.page.getByRole("article").filter({ hasText: text }).first();
  }

  /** Waits until something is shown, and checks the page around it. */
  async sees(shown: Locator | string): Promise<void> {
    const wanted =
      typeof shown === "string" ? this.main.getByText(shown).first() : shown;
    await wanted.waitFor();
    await checkLayout(this.page);
    const html = this.page.locator("html");
    assert.equal(await html.getAttribute("lang"), this.sight.language);
    assert.notEqual(await this.page.title(), "");
  }

  async seesHeading(name: string): Promise<void> {
    await this.sees(this.main.getByRole("heading", { name, exact: true }));
  }

  /** Checks that one of the links in a row is not scrolled out of sight. */
  async seesWithin(link: Locator, row: Locator): Promise<void> {
    await this.sees(link);
    const [part, whole] = [await link.boundingBox(), await row.boundingBox()];
    assert.ok(part && whole);
    assert.ok(part.x >= whole.x, "its beginning is in sight");
    assert.ok(part.x + part.width <= whole.x + whole.width, "and its end");
  }

  async seesNoMore(text: string): Promise<void> {
    await this.post(text).waitFor({ state: "detached" });
  }

  async fill(label: string, text: string): Promise<void> {
    await this.main.getByLabel(label, { exact: true }).fill(text);
  }

  async press(name: string, within = this.main): Promise<void> {
    await within.getByRole("button", { name, exact: true }).click();
  }

  async follow(name: string, within = this.main): Promise<void> {
    await within.getByRole("link", { name, exact: true }).click();
  }

  /** Follows one of the places that every page shows. */
  async goTo(name: string): Promise<void> {
    await this.#places.getByRole("link", { name }).click();
  }

  /** Opens the list of everything of one's own, and follows one of its links. */
  async goToOwn(name: string): Promise<void> {
    const { me } = pageTexts.places;
    await this.#places.getByText(me, { exact: true }).click();
    await this.follow(name, this.#places);
  }

  /** Opens Home until it shows a post that comes from elsewhere. */
  async awaitsAtHome(text: string): Promise<void> {
    await eventually(async () => {
      await this.goTo(pageTexts.places.home);
      await this.post(text).waitFor({ timeout: 1_000 });
    });
    await this.sees(this.post(text));
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }
}
