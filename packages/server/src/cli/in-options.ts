/**
 * Features name the parameters of the API. At the command line, the same things are
 * options: `accent_light` is `--accent-light`.
 * @param names what some of them are called here instead
 */
export function inOptions(
  message: string,
  names: Readonly<Record<string, string>> = {},
): string {
  const call = (name: string): string =>
    names[name] ?? `--${name.replaceAll("_", "-")}`;
  return message
    .replace(/^The parameter (\w+)/, (_, name: string) => call(name))
    .replace(/(?<=\bor )(\w+)(?=[,:])/g, (_, name: string) => call(name))
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, call);
}
