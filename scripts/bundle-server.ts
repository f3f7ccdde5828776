import { build, type Metafile, type Plugin } from "esbuild";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

// Bundles the server and its dependencies into a few files, from which it starts in half the
// time (docs/adr/0032). Runs when npm has installed Kith, and before the tests. Does nothing
// where the bundle is of these files.

const root = path.join(import.meta.dirname, "..");
const { findBundle, FOLDER } = createRequire(import.meta.url)(
  "../packages/server/bin/find-bundle.cjs",
) as { findBundle: () => string | undefined; FOLDER: string };
const MANIFEST = "bundle.json";
const ENTRY = "packages/server/src/main.ts";
const OWN_SOURCE = /[\\/]packages[\\/][a-z]+[\\/]src[\\/].+\.ts$/;

/** npm rewrites it whenever it changes a dependency. */
const INSTALLED = "node_modules/.package-lock.json";
/** Other options give another bundle. */
const SCRIPT = "scripts/bundle-server.ts";

/** They find files of theirs by their own path, or are not installed. */
const EXTERNAL = [
  "@opentelemetry/*",
  "css-tree",
  "pino",
  "pino-pretty",
  "sharp",
  "pg-native",
];

/** For bundled CommonJS, and for sources that find files by their own path. */
const BANNER = `import { createRequire as createRequireOfBundle } from "node:module";
import { fileURLToPath as pathOfBundled } from "node:url";
const require = createRequireOfBundle(import.meta.url);`;

/** Modules of Node that are imported by `require`: they have no file. */
const REQUIRED = "required";

const OWN_PATH = /\bimport\.meta\.(?:url|dirname|filename)|\b__dirname\b/;

type Manifest = {
  /** The file to start. */
  readonly entry: string;
  readonly files: readonly string[];
  /** In bytes, by the path of each bundled file from the root. */
  readonly sizes: Readonly<Record<string, number>>;
};

async function bundle(): Promise<void> {
  const startedAt = new Date();
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY],
    outdir: FOLDER,
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    // No package.json says that they are modules.
    outExtension: { ".js": ".mjs" },
    ...{ bundle: true, splitting: true, metafile: true, legalComments: "none" },
    ...{ platform: "node", format: "esm", target: "esnext" },
    external: EXTERNAL,
    banner: { js: BANNER },
    plugins: [keepOwnPaths(), leaveOutLazyPackages(), requireHttp()],
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logLevel: "error",
  });
  const manifest = describe(metafile);
  manifest.files.forEach(refuseOwnPaths);
  replaceManifest(manifest, startedAt);
}

/** Has each source find files by the path that it has outside the bundle. */
function keepOwnPaths(): Plugin {
  return {
    name: "own paths",
    setup: (bundler) =>
      bundler.onLoad({ filter: OWN_SOURCE }, async ({ path: file }) => {
        const source = await fs.promises.readFile(file, "utf8");
        return { contents: withOwnPath(source, file), loader: "ts" };
      }),
  };
}

/**
 * Leaves out the packages that are loaded on demand: no start is faster with them, and in the
 * bundle those that are CommonJS would have no exports but the default.
 */
function leaveOutLazyPackages(): Plugin {
  return {
    name: "lazy packages",
    setup: (bundler) =>
      bundler.onResolve(
        { filter: /^[^.]/ },
        ({ path: name, kind, importer }) =>
          kind === "dynamic-import" && OWN_SOURCE.test(importer)
            ? { path: name, external: true }
            : undefined,
      ),
  };
}

/**
 * An import of Node's module for HTTP reads all that it exports, for which Node loads its
 * own client for HTTP and WebSockets; `require` does not.
 */
function requireHttp(): Plugin {
  const namespace = REQUIRED;
  return {
    name: "node:http",
    setup: (bundler) => {
      bundler.onResolve({ filter: /^(?:node:)?http$/ }, ({ kind }) =>
        kind === "import-statement"
          ? { path: "node:http", namespace }
          : undefined,
      );
      bundler.onLoad({ filter: /^/, namespace }, ({ path: name }) => ({
        contents: `module.exports = require(${JSON.stringify(name)});`,
      }));
    },
  };
}

function withOwnPath(source: string, file: string): string {
  const relative = path.relative(FOLDER, file).replaceAll(path.sep, "/");
  const url = `new URL(${JSON.stringify(relative)}, import.meta.url)`;
  return source
    .replaceAll("import.meta.url", `${url}.href`)
    .replaceAll("import.meta.filename", `pathOfBundled(${url})`)
    .replaceAll("import.meta.dirname", `pathOfBundled(new URL(".", ${url}))`);
}

/** @throws where a package finds files by its own path, which it does not have in the bundle */
function refuseOwnPaths(name: string): void {
  const lines = fs.readFileSync(path.join(FOLDER, name), "utf8").split("\n");
  const own = lines.findIndex((line) => OWN_PATH.test(line) && !isOurs(line));
  if (own === -1) return;
  const module = lines.slice(0, own).findLast((line) => line.startsWith("// "));
  throw new Error(`Name the package of this module in EXTERNAL: ${module}`);
}

function isOurs(line: string): boolean {
  return BANNER.includes(line) || line.includes('new URL("../');
}

function describe({ inputs, outputs }: Metafile): Manifest {
  const [entry] = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint === ENTRY,
  ) ?? [""];
  const files = Object.keys(inputs).filter(
    (it) => !it.startsWith(`${REQUIRED}:`),
  );
  const named = [SCRIPT, INSTALLED, ...files];
  const sizes = named.map(
    (file) => [file, fs.statSync(path.join(root, file)).size] as const,
  );
  return {
    entry: path.basename(entry),
    files: Object.keys(outputs).map((file) => path.basename(file)),
    sizes: Object.fromEntries(sizes),
  };
}

/**
 * Its time is that at which bundling began: a file that changed since is newer.
 * Files of the last bundle stay, for servers that run.
 */
function replaceManifest(manifest: Manifest, at: Date): void {
  const file = path.join(FOLDER, MANIFEST);
  const kept = new Set([MANIFEST, ...manifest.files, ...filesOf(file)]);
  const written = path.join(FOLDER, `${process.pid}.json`);
  fs.writeFileSync(written, JSON.stringify(manifest));
  fs.utimesSync(written, at, at);
  fs.renameSync(written, file);
  for (const name of fs.readdirSync(FOLDER))
    if (!kept.has(name)) fs.rmSync(path.join(FOLDER, name), { force: true });
}

function filesOf(manifest: string): readonly string[] {
  try {
    return (JSON.parse(fs.readFileSync(manifest, "utf8")) as Manifest).files;
  } catch {
    return [];
  }
}

if (findBundle() === undefined) await bundle();
