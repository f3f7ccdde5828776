import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import {
  accountTexts,
  pageTexts,
  securityTexts,
} from "../../../packages/server/src/pages/languages/texts.ts";
import { eventually } from "../../support/kith-process.ts";
import { viewPost } from "../walk/look.ts";
import { signIn } from "./arriving.ts";
import type { Scene, Writings } from "./scene.ts";

/** Changes the settings, takes the data along, and leaves for good. */
export async function keepOnesOwn(
  scene: Scene,
  writings: Writings,
): Promise<void> {
  await changeSettings(scene);
  await takeData(scene);
  await leave(scene, writings);
}

async function changeSettings({ newcomer }: Scene): Promise<void> {
  const { main, page } = newcomer;
  const { settingsPage } = pageTexts;
  await newcomer.goToOwn(pageTexts.settings);
  await newcomer.seesHeading(settingsPage.title);
  const zone = main.getByLabel(settingsPage.timeZone, { exact: true });
  await zone.selectOption("Europe/Berlin");
  await main
    .getByRole("radio", { name: settingsPage.appearances.dark })
    .check();
  await newcomer.press(settingsPage.save);
  await newcomer.sees(settingsPage.saved);
  await newcomer.sees(page.locator("html.dark"));
  assert.equal(await zone.inputValue(), "Europe/Berlin");
}

async function takeData({ newcomer }: Scene): Promise<void> {
  await newcomer.follow(accountTexts.title);
  await newcomer.seesHeading(accountTexts.export.title);
  const downloading = newcomer.page.waitForEvent("download");
  await newcomer.press(accountTexts.export.button);
  const download = await downloading;
  assert.match(download.suggestedFilename(), /^kith-.*\.tar\.gz$/);
  const files = await unpack(await readFile(await download.path()));
  assert.match(files.get("profile.json") ?? "", /Nora/);
  assert.ok([...files.keys()].some((name) => name.startsWith("media/")));
  await newcomer.seesHeading(accountTexts.export.title);
}

/** @returns the files of an archive by their names */
async function unpack(archive: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const reading = extract();
  reading.end(gunzipSync(archive));
  for await (const entry of reading)
    files.set(entry.header.name, await text(entry));
  return files;
}

async function leave(
  { newcomer, resident, here }: Scene,
  { plain, announcement }: Writings,
): Promise<void> {
  const words = accountTexts.delete;
  const handle = here.handle(newcomer.username);
  const { ID } = await resident.api.post("/search", { handle });
  await newcomer.follow(words.link);
  await newcomer.seesHeading(words.title);
  await newcomer.fill(securityTexts.password, newcomer.password);
  await newcomer.press(words.button);
  await newcomer.seesHeading(words.done);
  // The refusal that follows is one of the browser's complaints, too.
  assert.deepEqual(newcomer.complaints, []);
  await newcomer.goTo(pageTexts.signIn);
  await newcomer.seesHeading(pageTexts.account.signInTitle);
  await signIn(newcomer);
  await newcomer.sees(pageTexts.account.wrong);
  await eventually(async () => {
    const person = await resident.api.call("GET", `/people/${String(ID)}`);
    assert.equal(person.status, 404);
    const post = await viewPost(resident, plain);
    assert.ok(post !== "hidden");
    assert.deepEqual(post.comments, []);
    assert.deepEqual(post.likes, []);
    const event = await viewPost(resident, announcement);
    assert.deepEqual(event !== "hidden" && event.answers, {});
  });
}
