import { picture } from "../../../packages/server/test/support/scenes/pictures.ts";
import {
  contactTexts,
  homeTexts,
  pageTexts,
  setupTexts,
} from "../../../packages/server/src/pages/languages/texts.ts";
import type { Newcomer } from "./newcomer.ts";
import type { Scene } from "./scene.ts";

/** The name that the newcomer gives. */
export const NAME = "Nora Berg";

export const ASPECT = "Walking friends";

/** Signs up, and takes the first steps as far as somebody to write to. */
export async function arrive(scene: Scene): Promise<void> {
  const { newcomer, here } = scene;
  await newcomer.page.goto(here.baseUrl);
  await signUp(newcomer);
  await introduce(newcomer);
  await makeAspect(newcomer);
  await findResident(scene);
}

async function signUp(newcomer: Newcomer): Promise<void> {
  const { account } = pageTexts;
  const { username, password } = newcomer;
  await newcomer.seesHeading(pageTexts.landing.heading);
  await newcomer.follow(pageTexts.signUp);
  await newcomer.seesHeading(account.signUpTitle);
  await newcomer.fill(account.username, username);
  await newcomer.fill(account.password, password);
  await newcomer.fill(account.confirm, password);
  await newcomer.press(pageTexts.signUp);
  await newcomer.sees(account.notices.created);
  await signIn(newcomer);
  await newcomer.seesHeading(setupTexts.welcome);
}

/** Fills in and sends the form to sign in. */
export async function signIn(newcomer: Newcomer): Promise<void> {
  await newcomer.fill(pageTexts.account.username, newcomer.username);
  await newcomer.fill(pageTexts.account.password, newcomer.password);
  await newcomer.press(pageTexts.signIn);
}

async function introduce(newcomer: Newcomer): Promise<void> {
  const { profileForm } = pageTexts;
  const [first = "", last = ""] = NAME.split(" ");
  await newcomer.follow(setupTexts.step.picture.title);
  await newcomer.seesHeading(profileForm.title);
  await newcomer.fill(profileForm.firstName, first);
  await newcomer.fill(profileForm.lastName, last);
  await newcomer.main.getByLabel(profileForm.picture).setInputFiles({
    ...{ name: "nora.png", mimeType: "image/png" },
    buffer: await picture(300, 300, "#704080").png().toBuffer(),
  });
  await newcomer.press(profileForm.save);
  await newcomer.sees(profileForm.saved);
}

async function makeAspect(newcomer: Newcomer): Promise<void> {
  await newcomer.goTo(pageTexts.places.home);
  await newcomer.sees(homeTexts.empty);
  await newcomer.follow(homeTexts.firstSteps);
  await newcomer.sees(setupTexts.done);
  await newcomer.follow(setupTexts.step.aspect.title);
  const { aspect } = contactTexts;
  await newcomer.seesHeading(aspect.new);
  await newcomer.fill(aspect.name, ASPECT);
  await newcomer.press(aspect.create);
  await newcomer.seesHeading(ASPECT);
  await newcomer.sees(aspect.nobodyKnown);
  await newcomer.follow(contactTexts.find);
}

async function findResident({ newcomer, resident }: Scene): Promise<void> {
  const { handle } = resident;
  await newcomer.fill(contactTexts.find, handle);
  await newcomer.press(contactTexts.search);
  await newcomer.seesHeading(contactTexts.found(handle));
  await newcomer.follow(handle);
  await newcomer.seesHeading(handle);
  const contact = newcomer.main.getByRole("region", {
    ...{ name: contactTexts.inAspects, exact: true },
  });
  await contact.getByText(contactTexts.inNone).click();
  await contact.getByLabel(ASPECT).check();
  await contact.getByRole("button", { name: contactTexts.saveAspects }).click();
  await newcomer.sees(
    contact.getByText(`${contactTexts.inAspects}: ${ASPECT}`),
  );
}
