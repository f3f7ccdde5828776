import type { ConfigFile } from "./config-file.ts";
import { nearestOf } from "./nearest.ts";
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
  /** Reports a fault, a sentence. */
  fault(this: void, text: string): void;
  /**
   * @returns warnings: unknown variables
   * @throws {ConfigError} if there was any fault
   */
  finish(): readonly string[];
};

const NAMES = new Set<string>(SETTINGS.map(({ name }) => name));

/** Starts reading, and collects unknown variables and the faults of the file. */
export function createReader(
  env: Env,
  flags: Flags,
  file: ConfigFile,
): SettingsReader {
  const faults = [...file.faults];
  const warnings = [...unknownVariables(env), ...file.warnings];
  const read: SettingsReader["read"] = (name, parse) => {
    const given = findGiven(env, flags, file, name);
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
    fault: (text) => void faults.push(text),
    finish() {
      if (faults.length > 0) throw new ConfigError(faults, warnings);
      return warnings;
    },
  };
}

/** Where the value of a setting comes from. */
export type SettingSource = "flag" | "environment" | "file" | "default";

type Given = {
  /** Undefined if the value is missing. */
  readonly text: string | undefined;
  /** The place, for messages. */
  readonly shown: string;
  readonly source: SettingSource;
};

/** Finds the value that counts: that of a flag, a variable, or the file. */
export function findGiven(
  env: Env,
  flags: Flags,
  file: ConfigFile,
  name: SettingName,
): Given | undefined {
  const setting = SETTINGS.find((one) => one.name === name);
  if (!setting) return undefined;
  const flag = setting.flag === null ? undefined : flags[setting.flag];
  const shown = `--${setting.flag ?? ""}`;
  if (typeof flag === "boolean") {
    const text = "isSwitch" in setting ? String(flag) : undefined;
    return { text, shown, source: "flag" };
  }
  const fromFlag = flag?.trim() ?? "";
  if (fromFlag !== "") return { text: fromFlag, shown, source: "flag" };
  const fromEnv = env[name]?.trim() ?? "";
  if (fromEnv !== "")
    return { text: fromEnv, shown: name, source: "environment" };
  const inFile = file.values.get(name);
  const fromFile = inFile?.text.trim() ?? "";
  return inFile && fromFile !== ""
    ? { text: fromFile, shown: inFile.shown, source: "file" }
    : undefined;
}

function unknownVariables(env: Env): string[] {
  const found: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith("KITH_") || name.startsWith("KITH_TEST_")) continue;
    if (NAMES.has(name) || (value ?? "").trim() === "") continue;
    const near = nearestOf(shortOf(name), [...NAMES].map(shortOf));
    found.push(
      `${name} is not a setting${near === undefined ? "." : `; did you mean KITH_${near}?`}`,
    );
  }
  return found.sort();
}

function shortOf(name: string): string {
  return name.slice("KITH_".length);
}
