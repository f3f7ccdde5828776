import { inOneLine } from "../in-one-line.ts";
import { startTable } from "../table.ts";
import { UsageError, type CommandOptions, type Write } from "../usage.ts";

type Shown = {
  readonly name: string;
  readonly value: string | null;
  readonly isSecret: boolean;
  readonly source: string;
  readonly place: string | null;
};

/** `kith config show` @throws {UsageError} */
export function runConfigCommand(
  settings: readonly Shown[],
  words: readonly string[],
  { json }: CommandOptions,
  write: Write,
): void {
  if (words[0] !== "show" || words.length > 1)
    throw new UsageError("kith config show [--json]");
  if (json) return write(JSON.stringify({ settings }));
  const row = startTable(write, ["setting", "value", "from"]);
  for (const { name, value, isSecret, source, place } of settings)
    row([
      name,
      isSecret ? "(secret)" : (value ?? "-"),
      place === null ? source : `${source} (${inOneLine(place)})`,
    ]);
}

/** The first steps with a server that `kith init` has made. */
export function describeNewServer(file: string, dataDir: string): string[] {
  return [
    `Made ${file} and the secret key of this server. Keep a copy of the key in another place.`,
    `Next: read the file, and start with kith serve --data-dir ${dataDir}`,
  ];
}
