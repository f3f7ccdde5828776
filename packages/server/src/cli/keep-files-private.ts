/** Everyone but the owner. */
const OTHERS = 0o077;

/**
 * Makes files that this process creates readable by their owner alone,
 * including SQLite's, whose permissions cannot be set otherwise. Windows has no
 * umask.
 */
export function keepFilesPrivate(): void {
  if (process.platform !== "win32") process.umask(OTHERS);
}
