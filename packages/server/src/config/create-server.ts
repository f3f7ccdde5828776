import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOf, messageOf, OperatorError } from "../lib/errors.ts";
import type { SecretKeyPlace } from "../lib/secret-key-place.ts";
import type { Config } from "./config.ts";
import { CONFIG_FILE, keyOf, NO_CONFIG_FILE } from "./config-file.ts";
import { findGiven, type Env, type Flags } from "./reader.ts";
import { SETTINGS } from "./settings.ts";

/**
 * Makes the data directory of a new server, with its configuration file and its
 * secret key. @returns the path of the file
 * @throws {OperatorError} if there is a server, or anything else
 */
export function createServer(
  { dataDir }: Pick<Config, "dataDir">,
  secretKeyPlace: SecretKeyPlace,
  env: Env,
  flags: Flags,
): string {
  const file = path.join(dataDir, CONFIG_FILE);
  try {
    const found = existsSync(dataDir) ? readdirSync(dataDir) : [];
    const [first] = found.filter((name) => name !== "lost+found");
    if (first !== undefined)
      throw new OperatorError(
        `The data directory ${dataDir} is used: it has ${first}. kith init replaces nothing. Choose another one (KITH_DATA_DIR).`,
      );
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const text = renderConfigFile(env, flags);
    writeFileSync(file, text, { flag: "wx", mode: 0o600, flush: true });
    secretKeyPlace.make();
    return file;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new OperatorError(
      `The server cannot be made in ${dataDir}: ${messageOf(error)}.`,
    );
  }
}

/** All settings with their descriptions: the given ones set, the others as comments. */
export function renderConfigFile(env: Env, flags: Flags): string {
  const blocks = SETTINGS.flatMap((setting) => {
    if ("isNotInFile" in setting) return [];
    const { name, doc, default: usual } = setting;
    const comment = wrap(`${doc} Default: ${usual}.`);
    if (name === "KITH_DATA_DIR")
      return [`${comment}\n# Here: the folder of this file.\ndata_dir = "."`];
    const given = findGiven(env, flags, NO_CONFIG_FILE, name);
    // A secret of the environment stays there.
    const isWritten = given?.text !== undefined && !("isSecret" in setting);
    return [
      isWritten
        ? `${comment}\n${keyOf(name)} = ${JSON.stringify(given.text)}`
        : `${comment}\n# ${keyOf(name)} = ""`,
    ];
  });
  return `${HEAD}\n${blocks.join("\n\n")}\n`;
}

const HEAD = `# The settings of this server, in TOML. Flags and environment variables win over
# them. kith config show lists the values in force. Restart Kith after a change.
`;

function wrap(text: string): string {
  const lines = text.match(/.{1,76}(?:\s|$)/g) ?? [];
  return lines.map((line) => `# ${line.trim()}`).join("\n");
}
