import type { RE2JS } from "re2js";
import { KithError } from "../../lib/errors.ts";

/** A regular expression that takes time in proportion to the text, whatever it says. */
export type TextExpression = {
  /** How much work each character of a text can be. */
  readonly size: number;
  /** Does it match anywhere in the text? */
  readonly matches: (text: string) => boolean;
};

const MAX_EXPRESSION_LENGTH = 1_000;
/** In instructions: each of them may have to look at each character. */
const MAX_SIZE = 500;
/** To compile is work, too: this many instructions take a tenth of a second. */
const MAX_EXPANSION = 100_000;

/**
 * Compiles an expression (RE2 syntax: no back-references, no look-around).
 * @throws {KithError} `bad_request` where it is broken, or too large
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
  // Its tables take memory that servers without such streams do without.
  const { RE2JS } = await import("re2js");
  try {
    return RE2JS.compile(source);
  } catch {
    // Whatever the compiler trips over, it is the expression's fault.
    throw new KithError(
      "bad_request",
      "The expression must be a regular expression in the syntax of RE2.",
    );
  }
}

/** More than what counted repetitions, such as `{1000}`, make of it: they may stand inside each other. */
function expansionOf(source: string): number {
  let factor = 1;
  for (const [, from, to] of source.matchAll(/\{(\d{1,9})(?:,(\d{0,9}))?\}/g))
    factor *= Math.max(1, Number(from), Number(to === "" ? 0 : (to ?? 0)));
  // The compiler itself takes no more than a thousand repetitions of anything.
  return source.length * Math.min(factor, 1_000);
}
