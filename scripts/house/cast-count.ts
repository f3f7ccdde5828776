import ts from "typescript";
import type { SourceText } from "./file-size.ts";

/** It goes down alone: when a cast is gone, so is its place. */
const MAX_CASTS = 11;
const FEATURE =
  /^packages\/server\/src\/features\/(?!.*\.(test|fixture)\.ts$).*\.ts$/;

/** Places in features where a cast says what the compiler does not know. */
export function findCasts(sources: readonly SourceText[]): string[] {
  return sources
    .filter(({ file }) => FEATURE.test(file))
    .flatMap(({ file, text }) => {
      const source = ts.createSourceFile(
        file,
        text,
        ts.ScriptTarget.Latest,
        true,
      );
      return castsIn(source).map((node) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        return `${file}:${line + 1}`;
      });
    });
}

/** More casts than there are: the schema says what rows are, a check what comes from elsewhere. */
export function checkCasts(sources: readonly SourceText[], most = MAX_CASTS) {
  const casts = findCasts(sources);
  if (casts.length <= most) return [];
  return casts.map((place) => ({
    file: place.slice(0, place.lastIndexOf(":")),
    line: Number(place.slice(place.lastIndexOf(":") + 1)),
    rule: "casts",
    say: `one of ${casts.length} casts in features, more than ${most}: give the column its type, or check the value`,
  }));
}

function castsIn(node: ts.Node): ts.Node[] {
  const inside: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    inside.push(...castsIn(child));
  });
  return isCast(node) ? [node, ...inside] : inside;
}

const isCast = (node: ts.Node) =>
  (ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) &&
  !ts.isConstTypeReference(node.type);
