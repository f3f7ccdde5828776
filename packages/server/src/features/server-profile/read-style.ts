import { ident, parse, string, tokenize, tokenTypes, url } from "css-tree";
import { MAX_STYLE_BYTES, StyleRefused } from "./style-sheet.ts";

// Loaded when admins write a style sheet, which few servers have: the parser takes some
// 20 MB of memory.

/** At-rules that load nothing. */
const AT_RULES = new Set([
  ...["media", "supports", "container", "layer", "scope", "starting-style"],
  ...["keyframes", "-webkit-keyframes", "property", "page", "counter-style"],
]);

/** Functions that load what a text names. */
const LOADERS = new Set([
  ...["src", "image", "image-set", "-webkit-image-set", "cross-fade"],
  ...["-webkit-cross-fade", "url-prefix", "element", "-moz-element"],
]);

type Token = { readonly type: number; readonly text: string };

/** @throws {StyleRefused} for what is no style sheet, or would load from elsewhere */
export function readStyle(given: string): string {
  const style = given.replace(/\r\n?/g, "\n").trim();
  if (Buffer.byteLength(style) > MAX_STYLE_BYTES)
    throw new StyleRefused(
      { kind: "too_long" },
      `must have at most ${MAX_STYLE_BYTES} bytes`,
    );
  refuseErrors(style);
  refuseLoading(style);
  return style;
}

function refuseErrors(style: string): void {
  let wrong: { message: string; line: number } | undefined;
  parse(style, {
    parseCustomProperty: true,
    onParseError: (error) => {
      wrong ??= { message: error.message, line: error.line };
    },
  });
  if (wrong)
    throw new StyleRefused(
      { kind: "unreadable", line: wrong.line },
      `must be a style sheet (CSS); line ${wrong.line}: ${wrong.message.slice(0, 200)}`,
    );
}

/** By the tokens, as browsers read them: those inside of unknown rules count as well. */
function refuseLoading(style: string): void {
  const tokens: Token[] = [];
  tokenize(style, (type, start, end) => {
    const text = style.slice(start, end);
    if (type !== tokenTypes.WhiteSpace && type !== tokenTypes.Comment)
      tokens.push({ type, text });
  });
  tokens.forEach(({ type, text }, at) => {
    switch (type) {
      case tokenTypes.AtKeyword:
        return refuseRule(ident.decode(text.slice(1)).toLowerCase());
      case tokenTypes.Function: {
        const name = ident.decode(text.slice(0, -1)).toLowerCase();
        return refuseFunction(name, tokens[at + 1]);
      }
      case tokenTypes.Url:
        return refuseAddress(url.decode(text));
      case tokenTypes.BadUrl:
      case tokenTypes.BadString:
      case tokenTypes.CDO:
      case tokenTypes.CDC:
        throw new StyleRefused(
          { kind: "unclosed" },
          "must not have a text or an address that is not closed",
        );
    }
  });
}

function refuseRule(name: string): void {
  if (!AT_RULES.has(name)) forbid(`@${name.slice(0, 40)}`);
}

function refuseFunction(name: string, next: Token | undefined): void {
  if (LOADERS.has(name)) forbid(`${name}()`);
  if (name === "url")
    refuseAddress(
      next?.type === tokenTypes.String ? string.decode(next.text) : "",
    );
}

/** Browsers drop control characters, and read `\` as `/`. */
function refuseAddress(address: string): void {
  if (!/^\/(?![/\\])[!-[\]-~]*$/.test(address))
    throw new StyleRefused(
      { kind: "elsewhere" },
      "must name files of this server alone, from / on, without other hosts",
    );
}

function forbid(what: string): never {
  throw new StyleRefused({ kind: "forbidden", what }, `must not use ${what}`);
}
