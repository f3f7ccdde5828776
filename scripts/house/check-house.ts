import { readFileSync } from "node:fs";
import path from "node:path";
import { checkFolders } from "./folder-size.ts";
import { checkName, checkSource } from "./house-rules.ts";
import { listProjectFiles, root } from "../project-files.ts";

const folders = ["packages", "test", "scripts", "bench"];
const files = listProjectFiles(folders).filter(
  (file) => /\.[cm]?[jt]s$/.test(file) && !file.startsWith("test/vectors/"),
);

const faults = [
  ...checkFolders(files),
  ...files.flatMap((file) => [
    ...checkName(file),
    ...checkSource(file, readFileSync(path.join(root, file), "utf8")),
  ]),
];
if (files.length === 0) throw new Error("no sources found");
for (const { file, line, rule, say } of faults)
  console.error(`${file}:${line}: ${say} (${rule})`);
console.log(`${files.length} files, ${faults.length} complaints`);
if (faults.length > 0) process.exitCode = 1;
