/**
 * Reads a `.dockerignore`. Of the patterns that match a path or a folder above it, the last decides.
 * @returns whether a path of the build context is left out
 * @throws for brackets and backslashes, which ours does not use
 */
export function readIgnored(text: string): (file: string) => boolean {
  const rules = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({
      leavesOut: !line.startsWith("!"),
      pattern: patternOf(line.replace(/^!/, "")),
    }));
  return (file) =>
    rules.findLast(({ pattern }) => pattern.test(file))?.leavesOut ?? false;
}

/** `path.matchesGlob` does not do: its stars leave out names that begin with a dot. */
function patternOf(glob: string): RegExp {
  if (/[[\]\\]/.test(glob)) throw new Error(`${glob} is not understood here`);
  const source = glob
    .replace(/^\/|\/$/g, "")
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => WILDCARDS[part] ?? RegExp.escape(part))
    .join("");
  return new RegExp(`^${source}(?:/|$)`);
}

const WILDCARDS: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};
