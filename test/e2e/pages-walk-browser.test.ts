import { after, before, test } from "node:test";
import { withSettings } from "../../packages/server/src/pages/languages/reader.ts";
import { arrive } from "./pages-walk/arriving.ts";
import {
  openScene,
  setStage,
  writeBack,
  type Stage,
} from "./pages-walk/scene.ts";
import { keepOnesOwn } from "./pages-walk/leaving.ts";
import { talk } from "./pages-walk/talking.ts";
import type { Sight } from "./pages-walk/newcomer.ts";

let stage: Stage;
before(async () => {
  stage = await setStage();
});
after(() => stage?.close());

/** Each pair of values occurs. */
const SIGHTS: readonly Sight[] = [
  { language: "en", hasScript: true, width: 320 },
  { language: "de", hasScript: false, width: 320 },
  { language: "en", hasScript: false, width: 1280 },
  { language: "de", hasScript: true, width: 1280 },
];

for (const [at, sight] of SIGHTS.entries()) {
  const { language, hasScript, width } = sight;
  const how = `${hasScript ? "with" : "without"} script, at ${width} pixels`;
  test(`a new person's whole walk, in ${language}, ${how}`, async () => {
    const names = [`nora_${at}`, `rosa_${at}`] as const;
    const scene = await openScene(stage, names, sight);
    await withSettings({ locale: language, timeZone: "UTC" }, async () => {
      await arrive(scene);
      const writings = await writeBack(scene);
      await talk(scene, writings);
      await keepOnesOwn(scene, writings);
    });
    await scene.newcomer.leave();
  });
}
