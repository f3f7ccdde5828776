import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkFolderCircles } from "../../scripts/house/imports/folder-circles.ts";

const pages = "packages/server/src/pages";

/** A source that imports others, each named as in its import statement. */
const source = (file: string, ...imported: string[]) => ({
  file: file.includes("/src/") ? file : `${pages}/${file}`,
  text: imported.map((it) => `import { a } from "${it}";\n`).join(""),
});

const check = (...sources: { file: string; text: string }[]) =>
  checkFolderCircles(sources);

/** One source for each way to write that posts/ imports people/. */
const ways = [
  'import { a } from "../people/page.ts";',
  'import type { A } from "../people/page.ts";',
  'import "../people/page.ts";',
  'export { a } from "../people/page.ts";',
  'const a = await import("../people/page.ts");',
  'type A = import("../people/page.ts").A;',
  'import { a } from "../people/cards/card.ts";',
];

describe("folder-circles", () => {
  for (const text of ways)
    test(`refuses ${text} where the other way round is imported`, () => {
      const faults = check(
        { file: `${pages}/posts/page.ts`, text: `const b = 1;\n${text}\n` },
        source("people/page.ts", "../posts/view.ts"),
      );
      assert.deepEqual(
        faults.map(({ file, line, rule }) => ({ file, line, rule })),
        [
          { file: `${pages}/posts/page.ts`, line: 2, rule: "folder-circles" },
          { file: `${pages}/people/page.ts`, line: 1, rule: "folder-circles" },
        ],
      );
      assert.match(
        faults[0]?.say ?? "",
        /^posts\/ imports people\/ \(.*\) in a circle of people, posts$/,
      );
    });

  test("refuses a circle of three, and names one import for each of its arrows", () => {
    const faults = check(
      source("kit/html.ts", "../posts/page.ts", "../posts/view.ts"),
      source("posts/page.ts", "../people/page.ts", "../icons/star.ts"),
      source("people/page.ts", "../kit/layout.ts"),
      source("other/page.ts", "../kit/html.ts"),
    );
    assert.deepEqual(
      faults.map(({ file }) => file),
      ["kit/html.ts", "posts/page.ts", "people/page.ts"].map(
        (file) => `${pages}/${file}`,
      ),
    );
  });

  test("reports two circles apart", () => {
    const faults = check(
      source("a/it.ts", "../b/it.ts"),
      source("b/it.ts", "../a/it.ts", "../c/it.ts"),
      source("c/it.ts", "../d/it.ts"),
      source("d/it.ts", "../c/it.ts"),
    );
    assert.deepEqual(
      faults.map(({ say }) => say.split("circle of ")[1]),
      ["a, b", "a, b", "c, d", "c, d"],
    );
  });

  test("looks at the folders of every folder, protocol packages included", () => {
    const deep = "packages/diaspora/src/a/b";
    const faults = check(
      source(`${deep}/one/it.ts`, "../two/it.ts"),
      source(`${deep}/two/it.ts`, "../one/it.ts"),
    );
    assert.equal(faults.length, 2);
  });

  test("lets folders import one way, with files beside them and with tests", () => {
    const allowed = [
      source("posts/page.ts", "../people/page.ts", "./view.ts", "node:fs"),
      source("posts/view.ts", "../routes.ts"),
      source("people/page.ts", "../kit/html.ts", "../routes.ts", "./view.ts"),
      source("routes.ts", "./posts/page.ts", "./people/page.ts"),
      source("people/page.test.ts", "../posts/page.ts"),
      source("people/people.fixture.ts", "../posts/page.ts"),
      source("people/view.ts", "../posts/posts.fixture.ts", "./cards/card.ts"),
      source("people/cards/card.ts", "../view.ts"),
    ];
    assert.deepEqual(check(...allowed), []);
  });
});
