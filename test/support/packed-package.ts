import { execFileSync, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../scripts/project-files.ts";

type Manifest = {
  name: string;
  dependencies?: Record<string, string>;
};

/** An installed package: packed, unpacked, and far from the repository. */
export type PackedPackage = {
  /** The folder of a program that depends on it, with nothing else in node_modules. */
  folder: string;
  /** The package itself. */
  installed: string;
  manifest: Manifest & Record<string, unknown>;
  /** Every file in it, relative to it. */
  files: string[];
  remove(): void;
};

/** The inputs of a package's prepack: its sources, and the tools beside them. */
const TOOLS = ["scripts", "tsconfig.json", "LICENSE"];

/**
 * Packs a workspace package with `npm pack` and installs it, with its runtime dependencies and theirs, into an
 * empty program. It is packed from a copy, because packing rewrites the manifest that running tests read.
 */
export function installPacked(name: string): PackedPackage {
  const folder = fs.mkdtempSync(path.join(tmpdir(), "kith-packed-"));
  const workspace = path.join(folder, "workspace");
  const source = copyWorkspace(name, workspace);
  const file = pack(source, folder);
  // The tested package must work without the sources and the tools.
  fs.rmSync(workspace, { recursive: true });
  const installed = path.join(folder, "node_modules", "@kith", name);
  fs.mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", file, "-C", installed, "--strip-components=1"]);
  fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  const manifest = readManifest(installed);
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    installDependency(dependency, folder);
  }
  return {
    folder,
    installed,
    manifest,
    files: listFiles(installed),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}

function copyWorkspace(name: string, workspace: string): string {
  const source = path.join(workspace, "packages", name);
  fs.cpSync(path.join(root, "packages", name), source, { recursive: true });
  for (const tool of TOOLS) {
    fs.cpSync(path.join(root, tool), path.join(workspace, tool), {
      recursive: true,
    });
  }
  fs.writeFileSync(path.join(workspace, "package.json"), '{"type":"module"}');
  fs.symlinkSync(
    path.join(root, "node_modules"),
    path.join(workspace, "node_modules"),
    "junction",
  );
  return source;
}

function pack(source: string, destination: string): string {
  const cache = path.join(destination, "npm-cache");
  execFileSync(
    "npm",
    ["pack", "--offline", "--silent", `--pack-destination=${destination}`],
    {
      cwd: source,
      env: { ...process.env, npm_config_cache: cache },
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    },
  );
  const file = fs.readdirSync(destination).find((it) => it.endsWith(".tgz"));
  if (!file) throw new Error(`npm pack made no file of ${source}`);
  return path.join(destination, file);
}

function installDependency(name: string, folder: string): void {
  const to = path.join(folder, "node_modules", name);
  if (fs.existsSync(to)) return;
  const from = path.join(root, "node_modules", name);
  fs.cpSync(from, to, { recursive: true });
  for (const inner of Object.keys(readManifest(to).dependencies ?? {})) {
    // A dependency with its own copy was installed with it.
    if (fs.existsSync(path.join(to, "node_modules", inner))) continue;
    installDependency(inner, folder);
  }
}

function readManifest(folder: string): Manifest & Record<string, unknown> {
  const text = fs.readFileSync(path.join(folder, "package.json"), "utf8");
  return JSON.parse(text) as Manifest & Record<string, unknown>;
}

function listFiles(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => path.relative(folder, file).replaceAll(path.sep, "/"))
    .sort();
}

/** Runs a program in the folder of a packed package, and returns its output. */
export function runIn(folder: string, file: string): string {
  return execFileSync(process.execPath, [file], {
    cwd: folder,
    encoding: "utf8",
    // Conditions and loaders of this run would not exist elsewhere.
    env: { ...process.env, NODE_OPTIONS: "" },
  });
}

/**
 * Type-checks every program in a folder as a user would, including declarations of the package.
 * @returns the first line of each error, which begins with its file
 */
export function listTypeErrors(folder: string): string[] {
  const types = path.join(folder, "node_modules", "@types", "node");
  if (!fs.existsSync(types)) {
    fs.cpSync(path.join(root, "node_modules/@types/node"), types, {
      recursive: true,
    });
    installDependency("undici-types", folder);
  }
  const compilerOptions = {
    target: "es2024",
    module: "nodenext",
    lib: ["es2024"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  fs.writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts"] }),
  );
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "--project", folder, "--pretty", "false"];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    // The errors name the files of this folder by their names alone.
    cwd: folder,
    encoding: "utf8",
  });
  if (stderr !== "") throw new Error(`The compiler failed: ${stderr}`);
  return stdout.split("\n").filter((line) => /^\S/.test(line));
}
