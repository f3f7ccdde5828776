import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import type { WriteStream } from "node:tty";
import { lineOf, withProgress } from "./show-progress.ts";

/** An output that remembers what is written to it. */
function outputOf(isTTY: boolean) {
  const written: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  const output = Object.assign(stream, { isTTY, columns: 40 });
  return { written, output: output as unknown as WriteStream };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

test("a terminal shows a bar in one line, which is gone before a result", async () => {
  const { written, output } = outputOf(true);
  const lines: string[] = [];
  const voice = {
    write: (line: string) => void lines.push(line),
    complain: () => assert.fail("a line"),
  };
  await withProgress(
    voice,
    async ({ write, progress }) => {
      progress("at once", 0.1);
      await pause(120);
      progress("12 files", 0.5);
      progress("13 files", 0.6);
      write("done");
    },
    output,
  );
  const shown = written.filter((it) => !it.startsWith("\u001B"));
  assert.deepEqual(shown, ["[############            ] 50 %, 12 fil"]);
  assert.deepEqual(lines, ["done"]);
  assert.match(written.at(-1) ?? "", /^\u001B/);
});

test("a failure leaves a clean line", async () => {
  const { written, output } = outputOf(true);
  const voice = { write: () => {}, complain: () => {} };
  const failing = withProgress(
    voice,
    async ({ progress }) => {
      await pause(120);
      progress("half");
      throw new Error("no");
    },
    output,
  );
  await assert.rejects(failing, /no/);
  assert.match(written.at(-1) ?? "", /^\u001B/);
});

test("elsewhere there are plain lines, and none of something short", async () => {
  const { written, output } = outputOf(false);
  const lines: string[] = [];
  const voice = {
    write: (line: string) => void lines.push(line),
    complain: (line: string) => void lines.push(line),
  };
  await withProgress(
    voice,
    async ({ write, progress }) => {
      progress("12 files", 0.5);
      write("done");
    },
    output,
  );
  assert.deepEqual(lines, ["done"]);
  assert.deepEqual(written, []);
});

test("a bar is full at the end, and never fuller", () => {
  assert.equal(lineOf("x", 0, 80), `[${" ".repeat(24)}] x`);
  assert.equal(lineOf("x", 1.5, 80), `[${"#".repeat(24)}] x`);
  assert.equal(lineOf("abcdef", undefined, 4), "abc");
});
