import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterEach, describe, test } from "node:test";
import sharp from "sharp";
import { KithError, type ErrorCode } from "./errors.ts";
import {
  createImageProcessor,
  type ImageProcessor,
  type ImageProcessorOptions,
} from "./image-processor.ts";

const blank = (side: number) =>
  sharp({
    create: { width: side, height: side, channels: 3, background: "red" },
  })
    .png()
    .toBuffer();

describe("the process that reads pictures", () => {
  const started: ImageProcessor[] = [];
  const start = (options: ImageProcessorOptions = {}) => {
    const images = createImageProcessor(options);
    started.push(images);
    return images;
  };
  afterEach(() => {
    for (const images of started.splice(0)) images.close();
  });

  const isRefused = (code: ErrorCode) => (error: unknown) =>
    error instanceof KithError && error.code === code;

  test("starts when it is needed, and ends when there is nothing to do", async () => {
    const images = start({ idleMs: 200 });
    assert.equal(images.childId(), undefined);
    await images.process(await blank(10), "post");
    const first = images.childId();
    assert.ok(first !== undefined);
    await images.process(await blank(10), "avatar");
    assert.equal(images.childId(), first);
    await until(() => images.childId() === undefined);
    await until(() => !isAlive(first));
    await images.process(await blank(10), "post");
    assert.notEqual(images.childId(), first);
  });

  test("takes no longer than it may", async () => {
    const images = start({ deadlineMs: 50 });
    const large = await blank(7900);
    await assert.rejects(
      images.process(large, "post"),
      isRefused("unavailable"),
    );
    await until(() => images.childId() === undefined);
  });

  test("lets some wait, and no more", async () => {
    const images = start({ maxWaiting: 2 });
    const bytes = await blank(10);
    const all = Array.from({ length: 5 }, () => images.process(bytes, "post"));
    const outcomes = await Promise.allSettled(all);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"],
    );
    const last = outcomes[4];
    assert.ok(last?.status === "rejected");
    assert.ok(isRefused("unavailable")(last.reason));
  });

  test("that ends by itself fails one picture", async () => {
    const images = start();
    const large = images.process(await blank(7900), "post");
    const next = images.process(await blank(10), "post");
    process.kill(images.childId() ?? assert.fail(), "SIGKILL");
    await assert.rejects(large, isRefused("unavailable"));
    assert.equal((await next).width, 10);
  });

  test("refuses what waits when the server stops", async () => {
    const images = start();
    const bytes = await blank(3000);
    const all = [images.process(bytes, "post"), images.process(bytes, "post")];
    images.close();
    for (const one of await Promise.allSettled(all)) {
      assert.ok(one.status === "rejected");
      assert.ok(isRefused("unavailable")(one.reason));
    }
  });

  test("gets nothing of the server's environment", async () => {
    const images = start();
    await images.process(await blank(10), "post");
    if (process.platform !== "linux") return;
    const environment = readFileSync(
      `/proc/${images.childId() ?? assert.fail()}/environ`,
      "latin1",
    );
    const names = environment.split("\0").map((it) => it.split("=")[0]);
    const known = new Set(["", "MALLOC_ARENA_MAX"]);
    const foreign = names.filter((it) => !known.has(it ?? ""));
    assert.ok(
      foreign.every((it) => it?.startsWith("NODE_")),
      String(foreign),
    );
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let n = 0; n < 200; n++) {
    if (isTrue()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail("It did not come to be");
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
