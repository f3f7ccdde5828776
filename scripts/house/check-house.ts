import { readFileSync } from "node:fs";
import path from "node:path";
import { checkCasts, findCasts } from "./cast-count.ts";
import { checkDoors } from "./door-size.ts";
import { checkFileSizes, listLongFiles } from "./file-size.ts";
import { checkExportNames } from "./export-names.ts";
import { checkFolders } from "./folder-size.ts";
import { checkName, checkSource } from "./house-rules.ts";
import { checkFolderCircles } from "./imports/folder-circles.ts";
import { listProjectFiles, root } from "../project-files.ts";

const folders = ["packages", "test", "scripts", "bench"];
const files = listProjectFiles(folders).filter(
  (file) => /\.[cm]?[jt]s$/.test(file) && !file.startsWith("test/vectors/"),
);

const sources = files.map((file) => ({
  file,
  text: readFileSync(path.join(root, file), "utf8"),
}));

const faults = [
  ...checkFolders(files),
  ...checkFileSizes(sources),
  ...checkDoors(sources),
  ...checkCasts(sources),
  ...checkExportNames(sources),
  ...checkFolderCircles(sources),
  ...sources.flatMap(({ file, text }) => [
    ...checkName(file),
    ...checkSource(file, text),
  ]),
];
if (files.length === 0) throw new Error("no sources found");
for (const { file, line, rule, say } of faults)
  console.error(`${file}:${line}: ${say} (${rule})`);
const long = listLongFiles(sources);
console.log(
  `${long.length} sources over 250 lines, longest: ${long[0] ?? "none"}`,
);
console.log(`${findCasts(sources).length} casts in features`);
console.log(`${files.length} files, ${faults.length} complaints`);
if (faults.length > 0) process.exitCode = 1;
