import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import ts from "typescript";
import { listProjectFiles, root } from "../../scripts/project-files.ts";

const CASES = "docs/security-cases.md";
const PAGES = [CASES, "docs/threat-model.md"];

type Reference = { readonly file: string; readonly title: string };

const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Every "`file`: `title`" of a text. */
function referencesIn(text: string): Reference[] {
  const found = text.matchAll(/`([^`\s]+\.test\.ts)`:\s+`([^`]+)`/g);
  return [...found].map(([, file = "", title = ""]) => ({ file, title }));
}

/** The titles of the tests and groups of a file, as written in the source. */
function titlesOf(file: string): Set<string> {
  const titles = new Set<string>();
  const source = ts.createSourceFile(
    file,
    textOf(file),
    ts.ScriptTarget.Latest,
  );
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText(source);
      const [title] = node.arguments;
      if (title && /^(?:test|describe|it|suite)$/.test(called)) {
        if (ts.isStringLiteralLike(title)) titles.add(title.text);
        else titles.add(title.getText(source).replace(/^`|`$/g, ""));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** References of a page to missing tests. */
function missingFrom(text: string): string[] {
  return referencesIn(text).flatMap(({ file, title }) => {
    if (!existsSync(path.join(root, file))) return [`${file} is not there`];
    return titlesOf(file).has(title) ? [] : [`${file} has no test "${title}"`];
  });
}

/** The sections of the page by case number. */
function casesIn(text: string): Map<number, string> {
  const [, ...sections] = text.split(/^### /m);
  return new Map(
    sections.map((section) => {
      const number = Number(/^(\d+)\. \S/.exec(section)?.[1]);
      return [number, section.split(/^## /m)[0] ?? ""];
    }),
  );
}

describe("the pages about security", () => {
  for (const page of PAGES)
    test(`${page} names existing tests`, () => {
      const text = textOf(page);
      assert.ok(referencesIn(text).length > 20);
      assert.deepEqual(missingFrom(text), []);
    });

  test("each case is listed once, in order, with tests or an explanation", () => {
    const text = textOf(CASES);
    const cases = casesIn(text);
    assert.ok(cases.size > 60, "sixty of other servers, and some of our own");
    const numbers = Array.from(cases, (_, n) => n + 1);
    assert.deepEqual([...cases.keys()], numbers);
    assert.equal(text.match(/^### /gm)?.length, numbers.length);
    for (const [number, said] of cases) {
      const isHeld = referencesIn(said).length > 0;
      const isExplained = /^(?:Does not apply|Open): \S/m.test(said);
      assert.ok(isHeld || isExplained, `case ${number}`);
    }
  });

  test("each test named after a case is listed for it", () => {
    const cases = casesIn(textOf(CASES));
    const files = listProjectFiles(["test", "packages"]).filter((file) =>
      file.endsWith(".test.ts"),
    );
    const named = files.flatMap((file) =>
      [...titlesOf(file)].map((title) => /^case (\d\d): /.exec(title)?.[1]),
    );
    const numbers = new Set(named.filter((it) => it !== undefined).map(Number));
    assert.ok(numbers.size > 20, String(numbers.size));
    for (const number of numbers)
      assert.match(cases.get(number) ?? "", /test\/security\//, `${number}`);
  });

  test("a missing file, title or number is detected", () => {
    const here = "test/security/security-cases.test.ts";
    const gone = "test/security/nothing.test.ts";
    assert.deepEqual(missingFrom(`- \`${gone}\`: \`x\``), [
      `${gone} is not there`,
    ]);
    assert.equal(missingFrom(`- \`${here}\`: \`no such title\``).length, 1);
    assert.deepEqual(
      missingFrom(`\`${here}\`: \`the pages about security\``),
      [],
    );
    const two = casesIn("### 1. A\n\nx\n\n## Part\n\n### 3. B\n");
    assert.deepEqual([...two.keys()], [1, 3]);
  });
});
