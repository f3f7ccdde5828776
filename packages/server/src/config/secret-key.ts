import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../lib/errors.ts";
import { ConfigError } from "./reader.ts";

const FILE = "secret.key";
const KEY_BYTES = 32;

/**
 * The key with which secrets are sealed before they go into the database. It is
 * made at the first start, in the data directory, readable by its owner alone.
 * @throws {ConfigError} where the file cannot be read, made, or is none
 */
export function loadSecretKey(dataDir: string): Uint8Array {
  const file = path.join(dataDir, FILE);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString("hex")}\n`, {
      flag: "wx",
      mode: 0o600,
    });
  } catch (error) {
    if (codeOf(error) !== "EEXIST")
      throw new ConfigError([
        `The data directory ${dataDir} cannot be written to (${codeOf(error) ?? String(error)}). Choose another one (KITH_DATA_DIR).`,
      ]);
  }
  return readKey(file);
}

function readKey(file: string): Uint8Array {
  let text = "";
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ConfigError([`${file} cannot be read (${codeOf(error)}).`]);
  }
  if (!/^[0-9a-f]{64}$/i.test(text))
    throw new ConfigError([
      `${file} does not hold a key of 64 hexadecimal characters. Put the right one back: without it, sealed secrets are lost.`,
    ]);
  return Buffer.from(text, "hex");
}
