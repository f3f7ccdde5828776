import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { after, afterEach, describe, test } from "node:test";
import sharp from "sharp";
import { KithError, type ErrorCode } from "../errors.ts";
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

  test("starts with the right to read its own code alone, in a folder of its own", async () => {
    const images = start();
    await images.process(await blank(10), "post");
    if (process.platform !== "linux") return;
    const child = `/proc/${images.childId() ?? assert.fail()}`;
    const words = readFileSync(`${child}/cmdline`, "utf8").split("\0");
    const readable = words.filter((it) => it.startsWith("--allow-fs-read="));
    assert.ok(readable.length >= 3);
    for (const it of readable)
      assert.match(
        it,
        /(?:\/server\/src\/lib|\/node_modules)\/\*$|\/package\.json$/,
      );
    const folder = readlinkSync(`${child}/cwd`);
    assert.match(folder, /\/kith-empty-/);
    assert.deepEqual(readdirSync(folder), []);
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

describe("pictures as programs write them", () => {
  const images = createImageProcessor();
  after(() => {
    images.close();
  });

  /** The colour of a point, by its place from 0 to 1, of the largest file. */
  const colourAt = async (bytes: Uint8Array, x: number, y: number) => {
    const image = sharp(bytes);
    const { width, height } = await image.metadata();
    const box = {
      left: Math.floor(x * (width - 1)),
      top: Math.floor(y * (height - 1)),
      width: 1,
      height: 1,
    };
    const pixel = await image.extract(box).removeAlpha().raw().toBuffer();
    return [...pixel];
  };
  const full = async (bytes: Uint8Array) => {
    const found = await images.process(bytes, "post");
    return found.files[0]?.bytes ?? assert.fail();
  };
  const isNear = (found: number[], wanted: number[], distance = 6) => {
    const isClose = wanted.every(
      (value, i) => Math.abs(value - (found[i] ?? 999)) <= distance,
    );
    assert.ok(isClose, `${String(found)} instead of ${String(wanted)}`);
  };

  for (const profile of ["p3", "srgb"])
    test(`a PNG of 16 bits with the profile ${profile} keeps its colours`, async () => {
      const background = { r: 200, g: 60, b: 30 };
      const bytes = await sharp({
        create: { width: 40, height: 40, channels: 3, background },
      })
        .toColourspace("rgb16")
        .withIccProfile(profile)
        .png()
        .toBuffer();
      assert.equal((await sharp(bytes).metadata()).depth, "ushort");
      isNear(await colourAt(await full(bytes), 0.5, 0.5), [200, 60, 30]);
    });

  test("an animation that lies on its side is set upright", async () => {
    const frame = (top: string, bottom: string) =>
      sharp({ create: { width: 40, height: 20, channels: 3, background: top } })
        .composite([
          {
            input: {
              create: {
                width: 20,
                height: 20,
                channels: 3,
                background: bottom,
              },
            },
            left: 20,
            top: 0,
          },
        ])
        .png()
        .toBuffer();
    const frames = [await frame("red", "blue"), await frame("lime", "black")];
    const bytes = await sharp(frames, { join: { animated: true } })
      .withMetadata({ orientation: 6 })
      .webp({ lossless: true, delay: [100, 250], loop: 3 })
      .toBuffer();
    const upright = await full(bytes);
    const found = await sharp(upright, { animated: true }).metadata();
    assert.deepEqual(
      [found.width, found.pageHeight, found.pages, found.delay, found.loop],
      [20, 40, 2, [100, 250], 3],
    );
    assert.equal(found.orientation, undefined);
    isNear(await colourAt(upright, 0.5, 0.1), [255, 0, 0], 40);
    isNear(await colourAt(upright, 0.5, 0.9), [0, 0, 255], 40);
  });

  test("a JPEG without its end is shown, half of one is not", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
    const bytes = await sharp({
      create: { width: 64, height: 64, channels: 3, background: "red", noise },
    })
      .jpeg()
      .toBuffer();
    for (const lost of [1, 2])
      assert.ok((await full(bytes.subarray(0, -lost))).length > 0);
    await assert.rejects(
      images.process(bytes.subarray(0, bytes.length / 2), "post"),
      (error) => error instanceof KithError && error.code === "bad_request",
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
