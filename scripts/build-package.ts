import * as fs from "node:fs";
import path from "node:path";
import ts from "typescript";

// The prepack and postpack of the protocol packages, run in the package's own folder. In
// the workspace a package consists of its .ts sources; Node refuses those below
// node_modules, so a packed one has .js and .d.ts in dist/, a manifest that names them,
// and the licence. `--restore` undoes it. Publish the file made by `npm pack`, because
// npm reads the manifest inside it.

type Manifest = { [name: string]: unknown };

const MANIFEST = "package.json";
const KEPT = "package.json.workspace";
const DIST = "dist";
const LICENSE = "LICENSE";
const root = path.join(import.meta.dirname, "..");

if (process.argv[2] === "--restore") restore();
else build();

function build(): void {
  // An earlier run may have been interrupted.
  restore();
  compile();
  fs.copyFileSync(path.join(root, LICENSE), LICENSE);
  const manifest = JSON.parse(fs.readFileSync(MANIFEST, "utf8")) as Manifest;
  fs.renameSync(MANIFEST, KEPT);
  const packed = JSON.stringify(packedManifest(manifest), null, 2);
  fs.writeFileSync(MANIFEST, `${packed}\n`);
}

function restore(): void {
  if (fs.existsSync(KEPT)) fs.renameSync(KEPT, MANIFEST);
  fs.rmSync(DIST, { recursive: true, force: true });
  fs.rmSync(LICENSE, { force: true });
}

function packedManifest(manifest: Manifest): Manifest {
  const { scripts: _, ...kept } = manifest;
  return {
    ...kept,
    // Not in the workspace: npm would warn users who install Kith with an older
    // Node, although Kith brings its own.
    engines: { node: ">=26" },
    types: `./${DIST}/index.d.ts`,
    exports: {
      ".": {
        types: `./${DIST}/index.d.ts`,
        default: `./${DIST}/index.js`,
      },
      "./package.json": "./package.json",
    },
  };
}

/** Emits the modules reachable from src/index.ts, which excludes the tests. */
function compile(): void {
  const options: ts.CompilerOptions = {
    ...readOptions(),
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: "src",
    outDir: DIST,
  };
  const program = ts.createProgram([path.join("src", "index.ts")], options);
  const emitted = program.emit(undefined, undefined, undefined, undefined, {
    afterDeclarations: [nameJavaScript],
  });
  const faults = [...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  if (faults.length === 0) return;
  const host = {
    getCanonicalFileName: (file: string) => file,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => "\n",
  };
  throw new Error(ts.formatDiagnostics(faults, host));
}

function readOptions(): ts.CompilerOptions {
  const file = path.join(root, "tsconfig.json");
  const { config } = ts.readConfigFile(file, (name) =>
    fs.readFileSync(name, "utf8"),
  ) as { config: { compilerOptions: object } };
  const { options, errors } = ts.convertCompilerOptionsFromJson(
    config.compilerOptions,
    root,
  );
  if (errors.length > 0) throw new Error("tsconfig.json cannot be read");
  return options;
}

/** Replaces "./x.ts" in a declaration by "./x.js": the compiler does that only in code. */
function nameJavaScript(
  context: ts.TransformationContext,
): ts.Transformer<ts.SourceFile | ts.Bundle> {
  const visit = (node: ts.Node): ts.Node => {
    if (ts.isStringLiteral(node) && /^\.{1,2}\/.*\.ts$/.test(node.text)) {
      return context.factory.createStringLiteral(
        node.text.replace(/\.ts$/, ".js"),
      );
    }
    return ts.visitEachChild(node, visit, context);
  };
  return (file) => ts.visitEachChild(file, visit, context);
}
