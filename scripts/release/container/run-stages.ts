import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import type { Stage, Step } from "./containerfile.ts";
import { readIgnored } from "./ignore-file.ts";
import { npmSettings } from "./npm-settings.ts";
import type { System } from "./system.ts";

type Origin = {
  readonly folder: string;
  readonly isIgnored: (file: string) => boolean;
};

/**
 * Runs the steps of each stage in a tree of its own.
 * @param work an empty folder for the trees
 * @returns the tree of the last stage
 * @throws where a step fails
 */
export function runStages(
  stages: readonly Stage[],
  context: string,
  { system, work, say }: { system: System; work: string; say: Say },
): string {
  const ignored = fs.readFileSync(path.join(context, ".dockerignore"), "utf8");
  const origins = new Map<string | undefined, Origin>([
    [undefined, { folder: context, isIgnored: readIgnored(ignored) }],
  ]);
  let root = work;
  for (const [at, stage] of stages.entries()) {
    root = path.join(work, `root-${at}`);
    system.makeRoot(root);
    for (const step of stage.steps)
      if (step.kind === "copy") copy(step, root, origins.get(step.from));
      else if (system.isSuperuser || stage.name !== undefined)
        run(step, root, system, /(^|\/)node:/.test(stage.image));
      else say(`Left out, because it takes the superuser: ${step.command}`);
    if (stage.name !== undefined)
      origins.set(stage.name, { folder: root, isIgnored: () => false });
  }
  return root;
}

type Say = (text: string) => void;

function run(
  step: Extract<Step, { kind: "run" }>,
  root: string,
  system: System,
  hasNode: boolean,
): void {
  fs.mkdirSync(path.join(root, step.folder), { recursive: true });
  const { file, args, ...options } = system.launch(root, {
    ...{ env: { ...npmSettings(root), ...step.env }, folder: step.folder },
    ...{ command: ["/bin/sh", "-ec", step.command], hasNode },
  });
  const stdio = ["ignore", "ignore", "inherit"] as const;
  execFileSync(file, args, { ...options, stdio: [...stdio] });
}

function copy(
  { from, sources, target }: Extract<Step, { kind: "copy" }>,
  root: string,
  origin: Origin | undefined,
): void {
  if (!origin) throw new Error(`There is no stage ${from}`);
  const { folder, isIgnored } = origin;
  const into = path.join(root, target);
  const isFolder = target.endsWith("/") || target.endsWith("/.");
  for (const source of sources) {
    if (isIgnored(source)) throw new Error(`${source} is ignored`);
    const file = path.join(folder, source);
    fs.cpSync(file, isFolder ? path.join(into, path.basename(source)) : into, {
      ...{ recursive: true, verbatimSymlinks: true },
      filter: (it) => !isIgnored(path.relative(folder, it)),
    });
  }
}
