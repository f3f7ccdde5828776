/** Everybody but the owner. */
const OTHERS = 0o077;

/**
 * Makes whatever this process creates from now on its owner's alone, SQLite's
 * files among them, whose rights nobody else can choose. Windows has no umask.
 */
export function keepFilesPrivate(): void {
  if (process.platform !== "win32") process.umask(OTHERS);
}
