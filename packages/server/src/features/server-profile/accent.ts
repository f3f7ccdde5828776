import { KithError } from "../../lib/errors.ts";

/** WCAG 2.2, success criterion 1.4.3: level AA for text. */
export const MIN_CONTRAST = 4.5;

/** The grounds that the accent is text on, in `assets/styles/tokens.css`. */
const GROUNDS = {
  light: ["#f6f5f1", "#ffffff", "#e6f0ed"],
  dark: ["#131816", "#1c2220", "#1d332e"],
} as const;

/** Text on the accent. */
const INKS = ["#ffffff", "#000000"] as const;

export type Scheme = keyof typeof GROUNDS;

/** @returns `#rrggbb` in lower case, "" for nothing. @throws {KithError} `bad_request` */
export function readAccent(given: string, scheme: Scheme): string {
  const typed = given.trim().toLowerCase();
  if (typed === "") return "";
  if (!/^#[0-9a-f]{6}$/.test(typed))
    throw new KithError(
      "bad_request",
      `The parameter accent_${scheme} must be a colour such as #0b6157.`,
    );
  const measured = contrastOfAccent(typed, scheme);
  if (measured < MIN_CONTRAST)
    throw new KithError(
      "bad_request",
      `The parameter accent_${scheme} must have a contrast of at least ${MIN_CONTRAST} on the ${scheme} ground; it has ${showContrast(measured)}.`,
    );
  return typed;
}

/** The lowest contrast on the grounds of pages. @param accent `#rrggbb` */
export function contrastOfAccent(accent: string, scheme: Scheme): number {
  return Math.min(...GROUNDS[scheme].map((it) => contrast(accent, it)));
}

/** Rounded down: 4.499 is not 4.5. */
export function showContrast(ratio: number): string {
  return (Math.floor(ratio * 100) / 100).toFixed(2);
}

/** Black or white, whichever reads better on the accent: at least 4.58. */
export function inkOn(accent: string): string {
  const [white, black] = INKS;
  return contrast(accent, white) >= contrast(accent, black) ? white : black;
}

/** WCAG 2.2, "contrast ratio": from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort(
    (a, b) => a - b,
  );
  return (high + 0.05) / (low + 0.05);
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
