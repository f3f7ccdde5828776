import assert from "node:assert/strict";
import { test } from "node:test";
import { promisify } from "node:util";
import { cacheResolver, createCheckedLookup } from "./fetch-dns.ts";
import type { ResolvedAddress } from "./fetch-dns.ts";

const four = (address: string): ResolvedAddress => ({ address, family: 4 });
const six = (address: string): ResolvedAddress => ({ address, family: 6 });

function lookup(
  resolve: (host: string) => Promise<ResolvedAddress[]>,
  publicOnly = true,
  privateOnly = false,
) {
  const checked = createCheckedLookup({ resolve, publicOnly, privateOnly });
  const asPromise = promisify(checked);
  return (host: string) => asPromise(host, { all: true });
}

test("hands out public addresses as they are", async () => {
  const both = [four("9.9.9.9"), six("2620:fe::fe")];
  const find = lookup(() => Promise.resolve(both));
  assert.deepEqual(await find("example.org"), both);
});

test("one forbidden address spoils them all, in any place", async () => {
  const bad = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0"];
  for (const address of bad) {
    for (const list of [
      [four(address)],
      [four("9.9.9.9"), four(address)],
      [four(address), six("2620:fe::fe")],
    ]) {
      const find = lookup(() => Promise.resolve(list));
      await assert.rejects(find("evil.example"), { reason: "address" });
    }
  }
  for (const address of ["::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]) {
    const find = lookup(() => Promise.resolve([six(address)]));
    await assert.rejects(find("evil.example"), { reason: "address" });
  }
});

test("a resolver that changes its mind is asked once a minute, checked always", async () => {
  let now = 0;
  let asked = 0;
  const rebinding = cacheResolver(
    () => {
      asked += 1;
      return Promise.resolve([four(asked === 1 ? "9.9.9.9" : "127.0.0.1")]);
    },
    () => now,
  );
  const find = lookup(rebinding);
  assert.deepEqual(await find("rebind.example"), [four("9.9.9.9")]);
  now = 59_000;
  assert.deepEqual(await find("rebind.example"), [four("9.9.9.9")]);
  assert.equal(asked, 1);
  now = 61_000;
  await assert.rejects(find("rebind.example"), { reason: "address" });
  assert.equal(asked, 2);
  // The forbidden answer stands in the cache now, and is checked there too.
  await assert.rejects(find("rebind.example"), { reason: "address" });
  assert.equal(asked, 2);
});

test("private addresses only where they are admitted, link-local never", async () => {
  const home = lookup(() => Promise.resolve([four("192.168.1.5")]), false);
  assert.deepEqual(await home("nas"), [four("192.168.1.5")]);
  const cloud = lookup(() => Promise.resolve([four("169.254.169.254")]), false);
  await assert.rejects(cloud("cloud"), { reason: "address" });
  const plain = lookup(() => Promise.resolve([four("9.9.9.9")]), false, true);
  await assert.rejects(plain("example.org"), { reason: "address" });
});

test("no address and failures are reported as dns", async () => {
  await assert.rejects(lookup(() => Promise.resolve([]))("a.example"), {
    reason: "dns",
  });
  const failing = lookup(() =>
    Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" })),
  );
  await assert.rejects(failing("a.example"), {
    reason: "dns",
    message: /ENOTFOUND/,
  });
});

test("asks once for many at a time, remembers a failure briefly", async () => {
  let now = 0;
  let asked = 0;
  const resolve = cacheResolver(
    () => {
      asked += 1;
      return Promise.reject(new Error("down"));
    },
    () => now,
  );
  const all = Array.from({ length: 50 }, () => resolve("a.example"));
  assert.equal(
    (await Promise.allSettled(all)).every((r) => r.status === "rejected"),
    true,
  );
  assert.equal(asked, 1);
  now = 4_000;
  await assert.rejects(resolve("a.example"));
  assert.equal(asked, 1);
  now = 6_000;
  await assert.rejects(resolve("a.example"));
  assert.equal(asked, 2);
});

test("a million hosts do not fill the memory", async () => {
  let asked = 0;
  const resolve = cacheResolver(() => {
    asked += 1;
    return Promise.resolve([four("9.9.9.9")]);
  });
  await resolve("first.example");
  for (let i = 0; i < 5_000; i += 1) await resolve(`h${String(i)}.example`);
  await resolve("first.example");
  assert.equal(asked, 5_002);
});

test("ten thousand names that do not exist push out no host that does", async () => {
  const asked: string[] = [];
  const resolve = cacheResolver(
    (host) => {
      if (host === "known.example") asked.push(host);
      else return Promise.reject(new Error("ENOTFOUND"));
      return Promise.resolve([four("9.9.9.9")]);
    },
    () => 0,
  );
  await resolve("known.example");
  for (let i = 0; i < 12_000; i += 1)
    await assert.rejects(resolve(`made-up-${i}.example`));
  await resolve("known.example");
  assert.equal(asked.length, 1);
});
