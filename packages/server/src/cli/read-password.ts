import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { UsageError, type Write } from "./usage.ts";

/**
 * Asks for a password without showing it; without a terminal it reads the first
 * line of the standard input. Passwords never come from the arguments, which
 * other users of the machine can read.
 */
export async function readPassword(write: Write): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) write("Password (it is not shown):");
  const lines = createInterface({
    input: process.stdin,
    output: new Writable({ write: (_chunk, _encoding, done) => done() }),
    terminal: isTerminal,
  });
  try {
    const { value, done } = await lines[Symbol.asyncIterator]().next();
    if (done !== true) return value;
  } finally {
    lines.close();
  }
  throw new UsageError("A password is needed on the standard input.");
}
