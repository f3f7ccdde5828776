import { SETTINGS } from "./settings.ts";
import type { SettingName } from "./settings.ts";

export type Env = Record<string, string | undefined>;
export type Flags = Record<string, string | boolean | undefined>;

/** Invalid settings: all faults at once, each a sentence. */
export class ConfigError extends Error {
  readonly faults: readonly string[];
  /** Suspicious settings that are no faults. */
  readonly warnings: readonly string[];
  constructor(faults: readonly string[], warnings: readonly string[] = []) {
    super(faults.join("\n"));
    this.name = "ConfigError";
    this.faults = faults;
    this.warnings = warnings;
  }
}

/** A value, or its fault, which follows the setting's name in a sentence. */
export type Parsed<T> = { value: T } | { fault: string };

/** Reads settings one by one and collects their faults. */
export type SettingsReader = {
  text(name: SettingName): string | undefined;
  read<T>(name: SettingName, parse: (text: string) => Parsed<T>): T | undefined;
  oneOf<T extends string>(
    name: SettingName,
    choices: readonly T[],
  ): T | undefined;
  /**
   * @returns warnings: unknown variables
   * @throws {ConfigError} if there was any fault
   */
  finish(): readonly string[];
};

const NAMES = new Set<string>(SETTINGS.map(({ name }) => name));

/** Starts reading, and collects unknown variables. */
export function createReader(env: Env, flags: Flags): SettingsReader {
  const faults: string[] = [];
  const warnings = unknownVariables(env);
  const read: SettingsReader["read"] = (name, parse) => {
    const given = findGiven(env, flags, name);
    if (!given) return undefined;
    const parsed = given.text === undefined ? undefined : parse(given.text);
    if (parsed && "value" in parsed) return parsed.value;
    faults.push(`${given.shown} ${parsed?.fault ?? "needs a value"}.`);
    return undefined;
  };
  return {
    read,
    text: (name) => read(name, (text) => ({ value: text })),
    oneOf: (name, choices) =>
      read(name, (text) => {
        const value = choices.find((choice) => choice === text.toLowerCase());
        if (value !== undefined) return { value };
        return { fault: `must be one of ${choices.join(", ")}, not "${text}"` };
      }),
    finish() {
      if (faults.length > 0) throw new ConfigError(faults, warnings);
      return warnings;
    },
  };
}

function findGiven(env: Env, flags: Flags, name: SettingName) {
  const setting = SETTINGS.find((one) => one.name === name);
  if (!setting) return undefined;
  const flag = setting.flag === null ? undefined : flags[setting.flag];
  const shown = `--${setting.flag ?? ""}`;
  if (typeof flag === "boolean") {
    const text = "isSwitch" in setting ? String(flag) : undefined;
    return { text, shown };
  }
  const fromFlag = flag?.trim() ?? "";
  if (fromFlag !== "") return { text: fromFlag, shown };
  const fromEnv = env[name]?.trim() ?? "";
  return fromEnv === "" ? undefined : { text: fromEnv, shown: name };
}

function unknownVariables(env: Env): string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith("KITH_") || name.startsWith("KITH_TEST_")) continue;
    if (NAMES.has(name) || (value ?? "").trim() === "") continue;
    const near = nearest(name);
    found.push(
      `${name} is not a setting${near ? `; did you mean ${near}?` : "."}`,
    );
  }
  return found.sort();
}

function nearest(name: string): string | undefined {
  const short = name.slice("KITH_".length);
  const ranked = [...NAMES]
    .map((known) => ({
      known,
      distance: editDistance(short, known.slice("KITH_".length)),
    }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const most = Math.max(2, Math.floor(short.length / 3));
  return best && best.distance <= most ? best.known : undefined;
}

function editDistance(a: string, b: string): number {
  // Words of such different lengths are never similar: no need to compare them.
  if (Math.abs(a.length - b.length) > 8) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const skip = Math.min(row[j] ?? 0, next[j - 1] ?? 0) + 1;
      next.push(Math.min(swap, skip));
    }
    row = next;
  }
  return row[b.length] ?? Infinity;
}
