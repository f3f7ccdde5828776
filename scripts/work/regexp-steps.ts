import { parseRegExpLiteral, type AST } from "@eslint-community/regexpp";

/** The possible ends of a match from a given start, first choice first. */
type Matcher = (at: number) => Iterable<number, unknown>;
type Element = AST.Element;

/** The state of one expression on one text. */
type Attempt = { text: string; steps: number };

/** V8's own matching, before anything is replaced for counting. */
const native = Object.getOwnPropertyDescriptor(RegExp.prototype, "exec")
  ?.value as (this: RegExp, text: string) => RegExpExecArray | null;

export function execNatively(
  expression: RegExp,
  text: string,
): RegExpExecArray | null {
  return native.call(expression, text);
}

const counters = new Map<string, (text: string, from: number) => number>();

/** More steps than this need not be counted. */
const MAX_STEPS = 20_000_000;

class TooManySteps extends Error {}

/**
 * Counts the characters that a backtracking matcher reads until an expression
 * matches or fails, which no counter of V8 reports.
 */
export function countSteps(
  expression: RegExp,
  text: string,
  from: number,
): number {
  const literal = String(expression);
  let count = counters.get(literal);
  if (!count) {
    count = createCounter(expression, literal);
    counters.set(literal, count);
  }
  return count(text, from);
}

function createCounter(expression: RegExp, literal: string) {
  const attempt: Attempt = { text: "", steps: 0 };
  const { pattern } = parseRegExpLiteral(literal);
  const match = new Compiler(expression, attempt).alternatives(
    pattern.alternatives,
    false,
  );
  return (text: string, from: number): number => {
    attempt.text = text;
    attempt.steps = 0;
    try {
      for (let at = from; at <= text.length; at += 1)
        if (isMatched(match(at)) || expression.sticky) break;
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
    }
    return attempt.steps;
  };
}

function isMatched(ends: Iterable<number>): boolean {
  return ends[Symbol.iterator]().next().done !== true;
}

class Compiler {
  readonly #flags: string;
  readonly #attempt: Attempt;
  readonly #unicode: boolean;
  readonly #multiline: boolean;

  constructor(expression: RegExp, attempt: Attempt) {
    this.#flags = expression.flags.replace(/[gyd]/g, "");
    this.#unicode = expression.unicode || expression.unicodeSets;
    this.#multiline = expression.multiline;
    this.#attempt = attempt;
  }

  /** @param back whether it is matched from its end, as in a lookbehind */
  alternatives(all: readonly AST.Alternative[], back: boolean): Matcher {
    const each = all.map(({ elements }) => this.#sequence(elements, back));
    const [only] = each;
    if (each.length === 1 && only) return only;
    return function* (at) {
      for (const match of each) yield* match(at);
    };
  }

  #sequence(elements: readonly Element[], back: boolean): Matcher {
    const matchers = elements.map((element) => this.#element(element, back));
    if (back) matchers.reverse();
    return matchers.reduce<Matcher>(
      (before, match) =>
        function* (at) {
          for (const then of before(at)) yield* match(then);
        },
      (at) => [at],
    );
  }

  #element(element: Element, back: boolean): Matcher {
    switch (element.type) {
      case "Assertion":
        return this.#assertion(element);
      case "Group":
      case "CapturingGroup":
        return this.alternatives(element.alternatives, back);
      case "Quantifier":
        return this.#quantifier(element, back);
      case "Backreference":
        // As if it were empty: repeated text is short wherever this is used.
        return (at) => [at];
      default: {
        const one = this.#single(element, back);
        return (at) => {
          const then = one(at);
          return then === undefined ? [] : [then];
        };
      }
    }
  }

  #assertion(element: AST.Assertion): Matcher {
    switch (element.kind) {
      case "lookahead":
      case "lookbehind": {
        const isBehind = element.kind === "lookbehind";
        const inner = this.alternatives(element.alternatives, isBehind);
        return (at) => (isMatched(inner(at)) !== element.negate ? [at] : []);
      }
      default: {
        const native = this.#native(element.raw, "y");
        return (at) => (this.#holds(native, element, at) ? [at] : []);
      }
    }
  }

  #holds(native: RegExp, element: AST.Assertion, at: number): boolean {
    this.#step();
    const { text } = this.#attempt;
    // Checking the ends is free, and nearly all assertions do only that.
    if (element.kind === "start" && !this.#multiline) return at === 0;
    if (element.kind === "end" && !this.#multiline) return at === text.length;
    native.lastIndex = at;
    return execNatively(native, text) !== null;
  }

  #quantifier(element: AST.Quantifier, back: boolean): Matcher {
    const { min, max, greedy } = element;
    const inner = element.element;
    if (isSingle(inner)) {
      const one = this.#single(inner, back);
      return greedy ? manyGreedy(one, min, max) : manyLazy(one, min, max);
    }
    return manyOf(this.#element(inner, back), { min, max, greedy });
  }

  /** @returns a function that returns the position after one character, if it matches */
  #single(element: Element, back: boolean): (at: number) => number | undefined {
    const native = this.#native(`^(?:${element.raw})$`, "");
    const known = new Map<string, boolean>();
    return (at) => {
      this.#step();
      const character = this.#characterAt(at, back);
      if (character === "") return undefined;
      let fits = known.get(character);
      if (fits === undefined) {
        fits = execNatively(native, character) !== null;
        known.set(character, fits);
      }
      if (!fits) return undefined;
      return back ? at - character.length : at + character.length;
    };
  }

  #characterAt(at: number, back: boolean): string {
    const { text } = this.#attempt;
    const unit = text.charAt(back ? at - 1 : at);
    if (!this.#unicode) return unit;
    const code = unit.charCodeAt(0);
    if (back)
      return code >= 0xdc00 && code <= 0xdfff ? text.slice(at - 2, at) : unit;
    return code >= 0xd800 && code <= 0xdbff ? text.slice(at, at + 2) : unit;
  }

  #native(source: string, more: string): RegExp {
    return new RegExp(
      source,
      this.#flags.replace("m", this.#multiline ? "m" : "") + more,
    );
  }

  #step(): void {
    this.#attempt.steps += 1;
    if (this.#attempt.steps > MAX_STEPS) throw new TooManySteps();
  }
}

function isSingle({ type }: Element): boolean {
  return (
    type === "Character" ||
    type === "CharacterSet" ||
    type === "CharacterClass" ||
    type === "ExpressionCharacterClass"
  );
}

/** With a list of pending attempts instead of recursion, because texts are long. */
function manyOf(
  match: Matcher,
  { min, max, greedy }: { min: number; max: number; greedy: boolean },
): Matcher {
  return function* (start) {
    const tried: { at: number; ends: Iterator<number, unknown> }[] = [];
    const enter = (at: number) => {
      const ends = tried.length < max ? match(at) : [];
      tried.push({ at, ends: ends[Symbol.iterator]() });
    };
    enter(start);
    if (!greedy && min === 0) yield start;
    for (let last = tried.at(-1); last !== undefined; last = tried.at(-1)) {
      const end = last.ends.next();
      if (end.done === true) {
        tried.pop();
        if (greedy && tried.length >= min) yield last.at;
        continue;
      }
      // An empty match is not repeated forever.
      const { value } = end;
      if (value === last.at && tried.length > min) continue;
      enter(value);
      if (!greedy && tried.length > min) yield value;
    }
  };
}

function manyGreedy(
  one: (at: number) => number | undefined,
  min: number,
  max: number,
): Matcher {
  return function* (at) {
    const ends = [at];
    while (ends.length <= max) {
      const then = one(ends.at(-1) ?? at);
      if (then === undefined) break;
      ends.push(then);
    }
    for (let count = ends.length - 1; count >= min; count -= 1)
      yield ends[count] ?? at;
  };
}

function manyLazy(
  one: (at: number) => number | undefined,
  min: number,
  max: number,
): Matcher {
  return function* (at) {
    let here: number | undefined = at;
    for (let count = 0; count <= max && here !== undefined; count += 1) {
      if (count >= min) yield here;
      here = one(here);
    }
  };
}
