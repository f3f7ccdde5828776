import type { RE2JS } from "re2js";
import { KithError } from "../../lib/errors.ts";

/** A regular expression that matches in time linear in the length of the text. */
export type TextExpression = {
  /** The cost of each character of a text, at most. */
  readonly size: number;
  /** Does it match anywhere in the text? */
  readonly matches: (text: string) => boolean;
};

const MAX_EXPRESSION_LENGTH = 1_000;
/** In instructions: each may have to look at each character. */
const MAX_SIZE = 500;
/** Compiling costs time, too: this many instructions take a tenth of a second. */
const MAX_EXPANSION = 100_000;

/**
 * Compiles an expression (RE2 syntax: no back-references, no look-around).
 * @throws {KithError} `bad_request` if it is invalid, or too large
 */
export async function compileExpression(
  source: string,
): Promise<TextExpression> {
  if (
    source.length > MAX_EXPRESSION_LENGTH ||
    expansionOf(source) > MAX_EXPANSION
  )
    throw new KithError(
      "bad_request",
      `The expression is too long: it may have ${MAX_EXPRESSION_LENGTH} characters, fewer where it repeats much.`,
    );
  const compiled = await compile(source);
  const size = compiled.programSize();
  if (size > MAX_SIZE)
    throw new KithError("bad_request", "The expression is too complex.");
  return { size, matches: (text) => compiled.test(text) };
}

async function compile(source: string): Promise<RE2JS> {
  // Imported on demand: its tables take memory that servers without such streams can save.
  const { RE2JS } = await import("re2js");
  try {
    return RE2JS.compile(source);
  } catch {
    // Any error of the compiler is the expression's fault.
    throw new KithError(
      "bad_request",
      "The expression must be a regular expression in the syntax of RE2.",
    );
  }
}

/**
 * An upper bound for the expansion of counted repetitions such as `{1000}`, which can be
 * nested.
 */
function expansionOf(source: string): number {
  let factor = 1;
  for (const [, from, to] of source.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g))
    factor *= Math.max(1, Number(from), Number(to === "" ? 0 : (to ?? 0)));
  // The compiler itself rejects more than a thousand repetitions.
  return source.length * Math.min(factor, 1_000);
}
