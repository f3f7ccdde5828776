const TALK_ABOVE = 250;
const MAX_LINES = 400;
/** Tables of data read as one list, however long. */
const TABLES = new Set(["packages/server/src/db/schema/schema.ts"]);
const SOURCE =
  /^(packages\/[^/]+\/src|scripts|bench)\/(?!.*\.(test|fixture)\.ts$).*\.ts$/;

export type SourceText = { readonly file: string; readonly text: string };

/** Sources too long to keep in mind. Tests have a limit of their own in ESLint. */
export function checkFileSizes(sources: readonly SourceText[]) {
  return longerThan(sources, MAX_LINES).map(({ file, lines }) => ({
    file,
    line: 1,
    rule: "file-size",
    say: `${lines} lines, more than ${MAX_LINES}: split it by subject`,
  }));
}

/** Sources that want a reason for their length. */
export function listLongFiles(sources: readonly SourceText[]): string[] {
  return longerThan(sources, TALK_ABOVE).map(
    ({ file, lines }) => `${file} (${lines})`,
  );
}

function longerThan(sources: readonly SourceText[], limit: number) {
  return sources
    .filter(({ file }) => SOURCE.test(file) && !TABLES.has(file))
    .map(({ file, text }) => ({ file, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > limit)
    .sort((a, b) => b.lines - a.lines);
}
