import path from "node:path";

const MAX_SOURCES = 15;
/** One file for each step that the schema took. */
const LISTS = new Set(["packages/server/src/db/migrations"]);
const TEST = /\.(test|fixture)\.ts$/;

/** Folders that hold more sources than one takes in at a glance. */
export function checkFolders(files: readonly string[]) {
  const sources = files.filter(
    (file) => file.endsWith(".ts") && !TEST.test(file),
  );
  const folders = Map.groupBy(sources, (file) => path.posix.dirname(file));
  return [...folders]
    .filter(([folder, held]) => held.length > MAX_SOURCES && !LISTS.has(folder))
    .map(([folder, held]) => ({
      file: folder,
      line: 1,
      rule: "folder-size",
      say: `${held.length} sources, more than ${MAX_SOURCES}: sort them into folders`,
    }));
}
