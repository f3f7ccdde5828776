import assert from "node:assert/strict";
import { picture } from "../../../packages/server/test/support/scenes/pictures.ts";
import {
  detailTexts,
  composeTexts,
  eventTexts,
  homeTexts,
  notificationTexts,
  pageTexts,
  writingTexts,
} from "../../../packages/server/src/pages/languages/texts.ts";
import { guidOf } from "../../support/conversation.ts";
import { eventually } from "../../support/kith-process.ts";
import { vanishes, viewPost } from "../walk/look.ts";
import { ASPECT, NAME } from "./arriving.ts";
import type { Newcomer } from "./newcomer.ts";
import { WORDS, type Scene, type Writings } from "./scene.ts";

const SECRET = "A picture for the few of you";
const SHOWN = "A green door";
const COMMENT = "They nest under our roof.";
const REPLY = "What a lovely door!";
const EDITED = "A picture for the few of you, and for nobody else";

/** Writes, answers, is answered, and takes it back. */
export async function talk(scene: Scene, writings: Writings): Promise<void> {
  const post = await writeToAspect(scene);
  await answerPost(scene, writings);
  await vote(scene, writings);
  await answerEvent(scene, writings);
  await readNotification(scene, post);
  await edit(scene, post);
  await remove(scene, post);
}

/** @returns the Guid of the post */
async function writeToAspect(scene: Scene): Promise<string> {
  const { newcomer } = scene;
  const { main } = newcomer;
  const { write } = pageTexts;
  await newcomer.goTo(pageTexts.places.write);
  await newcomer.seesHeading(composeTexts.title);
  await newcomer.fill(write.text, SECRET);
  await main.getByRole("radio", { name: write.audiences.aspects }).check();
  await main.getByRole("checkbox", { name: ASPECT }).check();
  await main.getByText(composeTexts.pictures, { exact: true }).click();
  await main.getByLabel(composeTexts.addPictures).setInputFiles({
    ...{ name: "door.png", mimeType: "image/png" },
    buffer: await picture(400, 600, "#207040").png().toBuffer(),
  });
  const publish = main.getByRole("button", { name: write.publish });
  const publishToOne = main.getByRole("button", {
    ...{ name: composeTexts.publishTo(1), exact: true },
  });
  await publish.or(publishToOne).click();
  await newcomer.sees(composeTexts.describeFirst);
  await newcomer.sees(composeTexts.reach.people(1, 1, false));
  await newcomer.sees(composeTexts.reach.noReshare);
  await newcomer.fill(composeTexts.describe, SHOWN);
  await publishToOne.click();
  const post = newcomer.post(SECRET);
  await newcomer.sees(post.getByRole("link", { name: ASPECT, exact: true }));
  await newcomer.sees(post.getByRole("img", { name: SHOWN }));
  return findAtResident(scene);
}

/** The post arrives with its picture, for the resident alone. */
async function findAtResident({ here, resident }: Scene): Promise<string> {
  const guid = await eventually(async () => {
    const posts = await resident.api.getList("/posts?limit=20");
    return guidOf(posts.find(({ Text }) => Text === SECRET));
  });
  const view = await viewPost(resident, guid);
  assert.ok(view !== "hidden");
  assert.equal(view.public, false);
  assert.deepEqual(view.photos, [SHOWN]);
  const [photo] = await resident.photosOf(guid);
  assert.equal((await fetch(photo?.Url ?? "")).status, 200);
  for (const { baseUrl } of [here, resident.server]) {
    const page = await fetch(`${baseUrl}/posts/${guid}`);
    assert.equal(page.status, 404, "others do not see it");
  }
  return guid;
}

async function answerPost(
  { newcomer, resident }: Scene,
  { plain }: Writings,
): Promise<void> {
  const { answer } = pageTexts;
  const of = answer.postBy(resident.handle);
  await newcomer.awaitsAtHome(WORDS.plain);
  await seeWhichTab(newcomer);
  await newcomer.press(`${answer.like} ${of}`, newcomer.post(WORDS.plain));
  const post = newcomer.post(WORDS.plain);
  await newcomer.sees(
    post.getByRole("button", { name: `${answer.unlike} ${of}` }),
  );
  await newcomer.sees(post.getByText(pageTexts.post.likes(1), { exact: true }));
  await newcomer.follow(pageTexts.post.comments(0), post);
  await newcomer.seesHeading(pageTexts.post.commentsTitle);
  await newcomer.fill(answer.text, COMMENT);
  await newcomer.press(answer.send);
  await newcomer.sees(
    newcomer.page.getByRole("article").getByText(COMMENT, { exact: true }),
  );
  await newcomer.press(`${answer.reshare} ${of}`);
  await newcomer.sees(
    newcomer.main.getByRole("button", {
      name: `${answer.unreshare} ${detailTexts.ofIt(of)}`,
    }),
  );
  await eventually(async () => {
    const view = await viewPost(resident, plain);
    assert.ok(view !== "hidden");
    assert.deepEqual(view.comments, [`${newcomer.username}: ${COMMENT}`]);
    assert.deepEqual(view.likes, [newcomer.username]);
    const { ResharesCount } = await resident.api.getRecord(`/posts/${plain}`);
    assert.equal(ResharesCount, 1);
  });
}

/** The tab of Home that is open is among those in sight. */
async function seeWhichTab(newcomer: Newcomer): Promise<void> {
  const tabs = newcomer.main.getByRole("navigation", {
    ...{ name: homeTexts.tabs, exact: true },
  });
  const chosen = { name: homeTexts.title, exact: true };
  await newcomer.seesWithin(tabs.getByRole("link", chosen), tabs);
}

async function vote(
  { newcomer, resident }: Scene,
  { poll }: Writings,
): Promise<void> {
  const [gladly] = WORDS.answers;
  await newcomer.awaitsAtHome(WORDS.poll);
  const post = newcomer.post(WORDS.poll);
  await post.getByRole("radio", { name: gladly }).check();
  await newcomer.press(pageTexts.poll.vote, post);
  await newcomer.sees(post.getByText(pageTexts.poll.chosen));
  await eventually(async () => {
    const view = await viewPost(resident, poll);
    assert.ok(view !== "hidden");
    assert.equal(view.votes[gladly], 1);
  });
}

async function answerEvent(
  { newcomer, resident }: Scene,
  { announcement }: Writings,
): Promise<void> {
  await newcomer.awaitsAtHome(WORDS.event);
  const question = newcomer.page.getByRole("form", {
    ...{ name: eventTexts.yourAnswerTo(WORDS.event), exact: true },
  });
  const { accepted } = eventTexts.answers;
  await newcomer.press(accepted, question);
  await newcomer.sees(
    question.getByRole("button", { name: accepted, pressed: true }),
  );
  await newcomer.sees(
    newcomer.post(WORDS.event).getByText(eventTexts.going(1)),
  );
  await eventually(async () => {
    const view = await viewPost(resident, announcement);
    assert.ok(view !== "hidden");
    assert.deepEqual(view.answers, { [newcomer.username]: "accepted" });
  });
}

/** The resident comments on the picture; the newcomer reads of it. */
async function readNotification(
  { newcomer, resident }: Scene,
  post: string,
): Promise<void> {
  await newcomer.goTo(pageTexts.notifications);
  await newcomer.sees(notificationTexts.said.contact(1));
  await newcomer.press(notificationTexts.readAll);
  await newcomer.main
    .getByRole("button", { name: notificationTexts.readAll })
    .waitFor({ state: "detached" });
  await resident.comment(post, REPLY);
  const unread = newcomer.page.getByRole("link", {
    name: `${pageTexts.notifications} 1 ${pageTexts.unread}`,
  });
  if (newcomer.sight.hasScript) await unread.waitFor();
  else
    await eventually(async () => {
      await newcomer.goTo(pageTexts.places.home);
      await unread.waitFor({ timeout: 1_000 });
    });
  await unread.click();
  await newcomer.sees(notificationTexts.said.comment(1));
  await newcomer.follow(REPLY);
  await newcomer.sees(
    newcomer.page.getByRole("article").getByText(REPLY, { exact: true }),
  );
}

async function openMore({ newcomer }: Scene, act: string): Promise<void> {
  const { answer } = pageTexts;
  const of = answer.postBy(NAME);
  const post = newcomer.post(SECRET);
  await post.getByLabel(`${answer.more}: ${of}`).click();
  await newcomer.follow(`${act} ${of}`, post);
}

async function edit(scene: Scene, guid: string): Promise<void> {
  const { newcomer, resident } = scene;
  await openMore(scene, pageTexts.answer.edit);
  await newcomer.seesHeading(writingTexts.editPost);
  await newcomer.fill(writingTexts.text, EDITED);
  await newcomer.press(writingTexts.save);
  await newcomer.sees(newcomer.post(EDITED));
  await eventually(async () => {
    const view = await viewPost(resident, guid);
    assert.equal(view !== "hidden" && view.text, EDITED);
  });
}

async function remove(scene: Scene, guid: string): Promise<void> {
  const { newcomer, resident } = scene;
  await openMore(scene, pageTexts.answer.delete);
  await newcomer.seesHeading(writingTexts.deletePost);
  await newcomer.press(writingTexts.delete);
  await newcomer.sees(newcomer.post(WORDS.plain));
  await newcomer.seesNoMore(SECRET);
  await vanishes([resident], guid);
}
