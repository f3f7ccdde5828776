import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";
import type { Write } from "./usage.ts";

/** @param part how much is done, from 0 to 1, where that is known */
export type Progress = (text: string, part?: number) => void;

/** A terminal, or another stream of output. */
type Output = Pick<WriteStream, "columns" | "isTTY" | "write">;

/** How often somebody can read what is written. */
const LINES_EVERY_MS = 2_000;
const BAR_EVERY_MS = 100;
const BAR_WIDTH = 24;

/**
 * Runs something long that shows how far it is: on a terminal in one line, which goes again,
 * elsewhere by a line now and then. Work that ends at once shows nothing.
 * @param complain writes a whole line, where no terminal reads it
 */
export async function withProgress<Result>(
  { write, complain }: { readonly write: Write; readonly complain: Write },
  use: (shown: {
    readonly write: Write;
    readonly progress: Progress;
  }) => Promise<Result>,
  output: Output = process.stderr,
): Promise<Result> {
  if (!output.isTTY)
    return use({ write, progress: atMostEvery(LINES_EVERY_MS, complain) });
  const terminal = output as WriteStream;
  const clear = () => {
    clearLine(terminal, 0);
    cursorTo(terminal, 0);
  };
  const draw: Progress = (text, part) => {
    clear();
    terminal.write(lineOf(text, part, terminal.columns));
  };
  try {
    return await use({
      write: (line) => {
        clear();
        write(line);
      },
      progress: atMostEvery(BAR_EVERY_MS, draw),
    });
  } finally {
    clear();
  }
}

function atMostEvery(ms: number, show: Progress): Progress {
  let shownAtMs = performance.now();
  return (text, part) => {
    const nowMs = performance.now();
    if (nowMs - shownAtMs < ms) return;
    shownAtMs = nowMs;
    show(part === undefined ? text : `${percentOf(part)} ${text}`, part);
  };
}

/** A bar, if the part is known, and the text, cut at the edge of the terminal. */
export function lineOf(
  text: string,
  part: number | undefined,
  columns: number,
): string {
  const filled = Math.round(BAR_WIDTH * within(part ?? 0));
  const bar = `[${"#".repeat(filled)}${" ".repeat(BAR_WIDTH - filled)}] `;
  return `${part === undefined ? "" : bar}${text}`.slice(
    0,
    // A terminal that does not say its width has 0.
    (columns || 80) - 1,
  );
}

function percentOf(part: number): string {
  return `${Math.floor(within(part) * 100)} %,`;
}

const within = (part: number) => Math.min(1, Math.max(0, part));
