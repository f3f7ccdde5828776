/** Ordered from specific to general, because some browsers also include the names of others. */
const BROWSERS = [
  ["Edge", /\bEdgA?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
] as const;

const SYSTEMS = [
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(?:iPhone|iPad)\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
] as const;

/**
 * Returns the browser and the system named by a `User-Agent`, such as `Firefox, Linux`:
 * enough to recognise one's own device; nothing more is stored.
 * @returns an empty text if it names none that is known
 */
export function describeDevice(userAgent: string | undefined): string {
  const find = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(userAgent ?? ""))?.[0];
  return [find(BROWSERS), find(SYSTEMS)]
    .filter((word) => word !== undefined)
    .join(", ");
}
