import { rmSync } from "node:fs";

const folders = new Set<string>();

/**
 * Has a folder removed when this process ends, whatever ends it but a kill.
 * @returns removes it before
 */
export function removeAtExit(folder: string): () => void {
  if (!process.listeners("exit").includes(removeAll))
    process.once("exit", removeAll);
  folders.add(folder);
  return () => remove(folder);
}

function removeAll(): void {
  folders.forEach(remove);
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
}
