import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { root } from "../project-files.ts";

const packageFolder = path.join(root, "node_modules/@sparticuz/chromium");

/** Starts the browser with libraries that a bare system lacks, only if needed. */
const STARTER = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
if ldd "$here/chromium" | grep -q "not found"; then
  export LD_LIBRARY_PATH="$here/al2023/lib"
fi
exec "$here/chromium" "$@"
`;

/**
 * The path of the Chromium that npm installed as an archive: unpacks it below
 * node_modules the first time.
 * @throws if this system cannot run it
 */
export function findChromium(): string {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("npm has a Chromium for linux-x64 alone");
  const cache = path.join(root, "node_modules", ".cache", "kith");
  const folder = path.join(cache, `chromium-${packageVersion()}`);
  if (!fs.existsSync(folder)) unpackInto(folder);
  const starter = path.join(folder, "start");
  execFileSync(starter, ["--no-sandbox", "--version"], { stdio: "pipe" });
  return starter;
}

function packageVersion(): string {
  const manifest = path.join(packageFolder, "package.json");
  const parsed = JSON.parse(fs.readFileSync(manifest, "utf8")) as {
    version: string;
  };
  return parsed.version;
}

/** Atomic, so that an interrupted run does not leave a partial browser. */
function unpackInto(folder: string): void {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const draft = fs.mkdtempSync(`${folder}-`);
  try {
    unpack(draft);
    const fonts = `<fontconfig><dir>${folder}/fonts</dir></fontconfig>\n`;
    fs.writeFileSync(path.join(draft, "fonts.conf"), fonts);
    fs.writeFileSync(path.join(draft, "start"), STARTER, { mode: 0o755 });
    fs.renameSync(draft, folder);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error; // else another run was quicker
  }
}

/**
 * The package unpacks into the folder for temporary files, and its libraries
 * only on the system it was built for.
 */
function unpack(folder: string): void {
  const code = `
    const { default: chromium } = await import("@sparticuz/chromium");
    await chromium.executablePath();`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: root,
    env: {
      ...process.env,
      TMPDIR: folder,
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x",
    },
    stdio: "pipe",
  });
}
