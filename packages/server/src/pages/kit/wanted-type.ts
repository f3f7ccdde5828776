type Range = { readonly type: string; readonly quality: number };

/**
 * Does the client prefer JSON to a page? Between equal preferences a named type
 * wins over a wildcard, and then the page.
 */
export function wantsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === "") return false;
  const ranges = accept.split(",").map(readRange);
  const page = match(ranges, "text/html");
  if (page.quality === 0) return true;
  const json = match(ranges, "application/json");
  return json.quality === page.quality
    ? json.precision > page.precision
    : json.quality > page.quality;
}

function readRange(text: string): Range {
  const [type = "", ...parameters] = text
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const quality = parameters.find((name) => name.startsWith("q="));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return { type, quality: value >= 0 && value <= 1 ? value : 0 };
}

type Match = { readonly quality: number; readonly precision: number };

/** The most specific range that matches a type decides. */
function match(ranges: readonly Range[], type: string): Match {
  const covering = ["*/*", `${type.slice(0, type.indexOf("/"))}/*`, type];
  let found: Match = { quality: 0, precision: -1 };
  for (const range of ranges) {
    const precision = covering.indexOf(range.type);
    if (precision > found.precision)
      found = { quality: range.quality, precision };
  }
  return found;
}
