import path from "node:path";
import ts from "typescript";
import { findComponents } from "./strong-components.ts";

type Source = { readonly file: string; readonly text: string };

/** An import of one folder's file by a file of a folder beside it. */
type Step = {
  readonly parent: string;
  readonly from: string;
  readonly to: string;
  readonly file: string;
  readonly line: number;
  readonly imported: string;
};

const SOURCE = /^packages\/[^/]+\/src\/(?!.*\.(test|fixture)\.ts$).*\.ts$/;

/**
 * Folders beside each other that import each other, directly or through others. Each
 * import counts in the one folder that holds both sides, type imports too; files that lie
 * in that folder itself stand between its folders and count for none.
 */
export function checkFolderCircles(sources: readonly Source[]) {
  const steps = sources
    .filter(({ file }) => SOURCE.test(file))
    .flatMap(listSteps);
  const byParent = Map.groupBy(steps, ({ parent }) => parent);
  return [...byParent.values()].flatMap((held) =>
    findCircles(held).flatMap(describe),
  );
}

/** The steps inside each circle, one for each pair of folders. */
function findCircles(steps: readonly Step[]): Step[][] {
  const pairs = [
    ...new Map(steps.map((it) => [`${it.from} ${it.to}`, it])).values(),
  ];
  const components = findComponents(pairs);
  return components.map((folders) =>
    pairs.filter(({ from, to }) => folders.has(from) && folders.has(to)),
  );
}

function describe(circle: readonly Step[]) {
  const folders = [...new Set(circle.map(({ from }) => from))].sort();
  return circle.map(({ from, to, file, line, imported }) => ({
    file,
    line,
    rule: "folder-circles",
    say: `${from}/ imports ${to}/ (${imported}) in a circle of ${folders.join(", ")}`,
  }));
}

function listSteps({ file, text }: Source): Step[] {
  const { importedFiles } = ts.preProcessFile(text, true, false);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .flatMap(({ fileName, pos }) => {
      const imported = path.posix.join(path.posix.dirname(file), fileName);
      const line = text.slice(0, pos).split("\n").length;
      const step = SOURCE.test(imported) && stepBetween(file, imported);
      return step ? [{ ...step, file, line, imported }] : [];
    });
}

/** The folder that holds both files, and the two of its folders that they lie in. */
function stepBetween(file: string, imported: string) {
  const own = file.split("/").slice(0, -1);
  const other = imported.split("/").slice(0, -1);
  const at = own.findIndex((name, index) => name !== other[index]);
  const [from, to] = [own[at], other[at]];
  if (from === undefined || to === undefined) return undefined;
  return { parent: own.slice(0, at).join("/"), from, to };
}
