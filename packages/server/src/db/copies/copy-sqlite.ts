import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setInterval } from "node:timers/promises";
import { OperatorError } from "../../lib/errors.ts";
import { refuseWithoutLog } from "../sqlite/main-file.ts";
import { SQLITE_COPY, type DatabaseCopy } from "./database-copy.ts";

const COPIER = path.join(import.meta.dirname, "sqlite-copier.ts");
const PROGRESS_EVERY_MS = 1_000;

export type CopyOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytes: number) => void) | undefined;
};

/**
 * Copies an SQLite database into `folder` while a server uses it.
 * @throws {OperatorError}
 */
export async function copySqlite(
  file: string,
  folder: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<DatabaseCopy> {
  refuseWithoutLog(file);
  const target = path.join(folder, SQLITE_COPY);
  const child = spawn(process.execPath, [COPIER, file, target], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const end = (): void => void child.kill("SIGKILL");
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  const closed = once(child, "close");
  const reporting = reportSize(target, closed, onProgress);
  const [said, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed,
    reporting,
  ]);
  signal?.removeEventListener("abort", end);
  signal?.throwIfAborted();
  if (child.exitCode !== 0)
    throw new OperatorError(
      `The database ${file} cannot be copied: ${lastError(complaint)}.`,
    );
  // The program is our own: it prints a DatabaseCopy and nothing else.
  return JSON.parse(said) as DatabaseCopy;
}

async function reportSize(
  file: string,
  closed: Promise<unknown>,
  onProgress: ((bytes: number) => void) | undefined,
): Promise<void> {
  if (!onProgress) return;
  const stop = new AbortController();
  const stopping = closed.then(() => stop.abort());
  try {
    for await (const _ of setInterval(PROGRESS_EVERY_MS, undefined, {
      signal: stop.signal,
    })) {
      const found = await stat(file).catch(() => undefined);
      if (found) onProgress(found.size);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  await stopping;
}

function lastError(complaint: string): string {
  const [, found] = /^\w*Error[^:]*: (.*)$/m.exec(complaint) ?? [];
  return found ?? (complaint.trim().split("\n").at(-1) || "it was ended");
}
