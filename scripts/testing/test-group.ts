import { createRequire } from "node:module";
import path from "node:path";
import { after, before, describe } from "node:test";
import { root } from "../project-files.ts";
import { measureCost } from "./test-costs.ts";

// One process of a test run. Its entry, which `test-groups.ts` writes, calls one of these.

const load = createRequire(import.meta.url);

/** Far longer than any file takes, and shorter than the run waits for its process. */
const FILE_TIMEOUT_MS = 10 * 60 * 1000;

/** Runs a file as if it were the program. */
export async function runFile(file: string): Promise<void> {
  failUnlessFinished();
  process.once("exit", measure(file));
  await import(path.join(root, file));
}

/**
 * Runs files one after the other, each as a suite of its name. They are loaded
 * synchronously, so that their tests and hooks become those of their suite.
 */
export function runFiles(files: readonly string[]): void {
  failUnlessFinished();
  for (const file of files)
    describe(file, { timeout: FILE_TIMEOUT_MS }, () => {
      let end = () => {};
      before(() => {
        process.env["KITH_TEST_FILE"] = file;
        end = measure(file);
      });
      after(() => end());
      load(path.join(root, file));
    });
}

function measure(file: string): () => void {
  const log = process.env["KITH_TEST_COSTS"];
  return log === undefined ? () => {} : measureCost(log, file);
}

/** A call of process.exit() would hide the tests that follow. */
function failUnlessFinished(): void {
  let isFinished = false;
  after(() => {
    isFinished = true;
  });
  process.on("exit", () => {
    if (isFinished) return;
    console.error("The process ended before its tests did");
    process.exitCode = 1;
  });
}
