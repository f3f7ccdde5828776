import { readFileSync } from "node:fs";
import path from "node:path";

/** One statement of the specification, covered by one test. */
export type SpecRow = {
  /** Such as `service-api/Post/Guid` or `service-api/Authentication/rule 4`. */
  readonly id: string;
  readonly text: string;
};

const FOLDER = path.resolve(import.meta.dirname, "../../../docs/spec");
const FILES = ["service-api", "service-api-resolved"];

/** Sections with bullets that are rules, too. */
const BULLETED = new Set(["Conventions", "ActivityPub routes, decided"]);

/** Every row of every table, every numbered rule, and the bullets that are rules. */
export function readSpecRows(): SpecRow[] {
  return FILES.flatMap((file) => {
    const text = readFileSync(path.join(FOLDER, `${file}.md`), "utf8");
    return parseRows(file, text);
  });
}

function parseRows(file: string, text: string): SpecRow[] {
  const rows: SpecRow[] = [];
  const place = { heading: "", group: "", bullets: 0, header: "" };
  const add = (key: string, line: string) =>
    rows.push({ id: `${file}/${place.heading}/${key}`, text: line });
  for (const line of text.split("\n")) {
    const heading = /^#+ (.*)$/.exec(line)?.[1];
    const numbered = /^(\d+)\. /.exec(line)?.[1];
    if (!line.startsWith("|")) place.header = "";
    if (heading !== undefined)
      Object.assign(place, { heading, group: "", bullets: 0 });
    else if (/^[^|].*:$/.test(line)) place.group = groupOf(line);
    else if (numbered !== undefined)
      add(`${place.group}rule ${numbered}`, line);
    else if (line.startsWith("- ") && BULLETED.has(place.heading))
      add(`bullet ${(place.bullets += 1)}`, line);
    else if (line.startsWith("|")) {
      const isHead = place.header === "" || /^[|\s:-]+$/.test(line);
      if (isHead) place.header ||= line;
      else add(keyOf(place.header, cellsOf(line)), line);
    }
  }
  return rows;
}

/** The words before “Post create rules:”; they distinguish two lists of one section. */
function groupOf(line: string): string {
  const words = /^([\w ]+) rules:$/.exec(line)?.[1];
  return words === undefined ? "" : `${words} `;
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("`", ""));
}

/** The first cell, and the second if both are needed to name the row. */
function keyOf(header: string, [first = "", second = ""]: string[]): string {
  const takesTwo = /^\| (Method|Status) \|/.test(header);
  return takesTwo ? `${first} ${second}` : first;
}
