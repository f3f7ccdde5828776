/** By what they call themselves, the particular before those whose names they carry as well. */
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
 * The browser and the system that a `User-Agent` names, such as `Firefox, Linux`:
 * enough to recognise one's own, and no more is kept.
 * @returns an empty text where it names none that is known here
 */
export function describeDevice(userAgent: string | undefined): string {
  const find = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(userAgent ?? ""))?.[0];
  return [find(BROWSERS), find(SYSTEMS)]
    .filter((word) => word !== undefined)
    .join(", ");
}
