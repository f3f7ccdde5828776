import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, TomlError } from "smol-toml";
import { codeOf } from "../lib/errors.ts";
import { isOpenToOthers } from "../lib/media/private-files.ts";
import { nearestOf } from "./nearest.ts";
import { SETTINGS, type SettingName } from "./settings.ts";

export const CONFIG_FILE = "kith.toml";
const SYSTEM_FILE = "/etc/kith/kith.toml";

/** A setting in the file, as if it had been given as a variable. */
type FileValue = { readonly text: string; readonly shown: string };

/** The settings of a configuration file, and its faults, each a sentence. */
export type ConfigFile = {
  /** Undefined where there is none. */
  readonly path: string | undefined;
  readonly values: ReadonlyMap<SettingName, FileValue>;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
};

export const NO_CONFIG_FILE: ConfigFile = {
  path: undefined,
  values: new Map(),
  faults: [],
  warnings: [],
};

/** The name of a setting in the file: `KITH_BASE_URL` is `base_url`. */
export function keyOf(name: SettingName): string {
  return name.slice("KITH_".length).toLowerCase();
}

const KEYS = new Map<string, (typeof SETTINGS)[number]>(
  SETTINGS.filter((setting) => !("isNotInFile" in setting)).map((setting) => [
    keyOf(setting.name),
    setting,
  ]),
);

/**
 * Reads the configuration file: the one that is named, else that of the data
 * directory, else the system's.
 * @param named by `--config` or `KITH_CONFIG`
 * @param dataDir by flag, variable or default
 */
export function readConfigFile(
  named: string | undefined,
  dataDir: string,
): ConfigFile {
  const found =
    named ??
    [path.join(dataDir, CONFIG_FILE), SYSTEM_FILE].find((file) =>
      existsSync(file),
    );
  if (found === undefined) return NO_CONFIG_FILE;
  try {
    return parseConfigFile(readFileSync(found, "utf8"), found);
  } catch (error) {
    const fault = `The configuration file ${found} cannot be read (${codeOf(error) ?? String(error)}).`;
    return { ...NO_CONFIG_FILE, path: found, faults: [fault] };
  }
}

/** @param file its path, for messages and as the start of relative paths */
export function parseConfigFile(text: string, file: string): ConfigFile {
  const faults: string[] = [];
  const values = new Map<SettingName, FileValue>();
  for (const [key, value] of Object.entries(parseText(text, file, faults))) {
    const place = `${file}:${lineOf(text, key)}`;
    const setting = KEYS.get(key);
    if (!setting) {
      const near = nearestOf(key, [...KEYS.keys()]);
      faults.push(
        `${place}: ${JSON.stringify(key)} is not a setting${near === undefined ? "." : `; did you mean ${near}?`}`,
      );
      continue;
    }
    const given = textOf(value);
    if (given === undefined)
      faults.push(
        `${place}: ${key} must be a text, a number, true or false, or a list of texts.`,
      );
    else
      values.set(setting.name, {
        text: "isPath" in setting ? fromFolder(given, file) : given,
        shown: `${place}: ${key}`,
      });
  }
  return { path: file, values, faults, warnings: warnOfSecrets(file, values) };
}

function parseText(text: string, file: string, faults: string[]): object {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [says = ""] = error.message
      .replace(/^Invalid TOML document: /, "")
      .split("\n");
    faults.push(`${file}:${error.line}: This is not TOML: ${says}.`);
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "number")
    return String(value);
  const isList =
    Array.isArray(value) && value.every((one) => typeof one === "string");
  return isList ? value.join(",") : undefined;
}

/** Paths in a file start at its folder, wherever Kith is started. */
function fromFolder(given: string, file: string): string {
  return given === "" ? given : path.resolve(path.dirname(file), given);
}

/** The parser names no lines of keys. */
function lineOf(text: string, key: string): number {
  const escaped = RegExp.escape(key);
  const start = new RegExp(
    `^[ \\t]*(?:\\[+[ \\t]*)?["']?${escaped}["']?[ \\t]*[=.\\]]`,
  );
  return text.split("\n").findIndex((line) => start.test(line)) + 1 || 1;
}

function warnOfSecrets(
  file: string,
  values: ReadonlyMap<SettingName, FileValue>,
): string[] {
  const secret = SETTINGS.find(
    ({ name, ...setting }) => "isSecret" in setting && values.has(name),
  );
  return secret && isOpenToOthers(file)
    ? [
        `${file} has ${keyOf(secret.name)}, and other users of this machine can read it. Take that right away: chmod 600 ${file}`,
      ]
    : [];
}
