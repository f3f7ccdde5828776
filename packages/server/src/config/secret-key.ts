import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { codeOf } from "../lib/errors.ts";
import type { SecretKeyPlace } from "../lib/secret-key-place.ts";
import { isOpenToOthers } from "../lib/media/private-files.ts";
import { ConfigError, type Parsed } from "./reader.ts";

const FILE = "secret.key";
const KEY_BYTES = 32;
const IS_KEY = /^[0-9a-f]{64}$/i;

/**
 * The key is a setting (`KITH_SECRET_KEY`), or a file in the data directory
 * that the first start creates, readable by its owner alone.
 * @param given the setting
 */
export function locateSecretKey(
  dataDir: string,
  given?: Uint8Array,
): SecretKeyPlace {
  if (given)
    return {
      name: "KITH_SECRET_KEY",
      find: () => given,
      make: () => given,
      isOpenToOthers: () => false,
    };
  const file = path.join(dataDir, FILE);
  return {
    name: file,
    find: () => readKey(dataDir, file),
    make: () => {
      makeFile(dataDir, file);
      const key = readKey(dataDir, file);
      if (!key) throw new ConfigError([`${file} has vanished.`]);
      return key;
    },
    isOpenToOthers: () => isOpenToOthers(file),
  };
}

/** A fault never repeats the value. */
export function parseSecretKey(text: string): Parsed<Uint8Array> {
  if (IS_KEY.test(text)) return { value: Buffer.from(text, "hex") };
  return {
    fault: `must be ${2 * KEY_BYTES} hexadecimal characters, such as openssl rand -hex ${KEY_BYTES} prints`,
  };
}

function readKey(dataDir: string, file: string): Uint8Array | undefined {
  let text = "";
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return undefined;
    if (code === "ENOTDIR") throw unwritable(dataDir, error);
    throw new ConfigError([`${file} cannot be read (${code}).`]);
  }
  const parsed = parseSecretKey(text);
  if ("value" in parsed) return parsed.value;
  throw new ConfigError([
    `${file} does not hold a key of 64 hexadecimal characters. Put the right one back: without it, sealed secrets are lost.`,
  ]);
}

/**
 * Creates the file atomically and durably: no sealed value may outlive its key.
 */
function makeFile(dataDir: string, file: string): void {
  const draft = `${file}.${randomBytes(8).toString("hex")}`;
  const text = `${randomBytes(KEY_BYTES).toString("hex")}\n`;
  const mode = 0o600;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { flag: "wx", mode, flush: true });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (codeOf(error) === "EEXIST") return;
      // Some file systems have no hard links.
      writeFileSync(file, text, { flag: "wx", mode, flush: true });
    }
    flushDirectory(dataDir);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw unwritable(dataDir, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Some systems cannot flush a directory: only the file itself is durable then.
 */
function flushDirectory(directory: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(directory, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function unwritable(dataDir: string, error: unknown): ConfigError {
  return new ConfigError([
    `The data directory ${dataDir} cannot be written to (${codeOf(error) ?? String(error)}). Choose another one (KITH_DATA_DIR).`,
  ]);
}
