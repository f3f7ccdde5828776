import { cruiseBoundaries, type Boundaries } from "./boundaries.ts";
import { listProjectFiles, root } from "../../project-files.ts";

const sources = listProjectFiles(["packages"]).filter((file) =>
  /^packages\/[^/]+\/src\/.*\.ts$/.test(file),
);
const folders = [
  ...new Set(sources.map((file) => file.split("/").slice(0, 3).join("/"))),
];
const result = await cruiseBoundaries(root, folders);

const complaints = [...breachLines(result), ...unreadLines(result)];
for (const complaint of complaints) console.error(complaint);
console.log(
  `${sources.length} sources, ${result.modules.length} modules read, ${complaints.length} complaints`,
);
if (complaints.length > 0) process.exitCode = 1;

function breachLines({ breaches, comments }: Boundaries): string[] {
  return breaches.map(
    ({ rule, from, to }) =>
      `${from}: must not import ${to} (${rule}: ${comments.get(rule) ?? ""})`,
  );
}

/** A run that reads too few files passes everything, so it is a failure. */
function unreadLines({ modules }: Boundaries): string[] {
  if (sources.length === 0) return ["no sources found under packages/*/src"];
  const read = new Set(modules);
  return sources
    .filter((file) => !read.has(file))
    .map((file) => `${file}: was not read, so its imports are unchecked`);
}
