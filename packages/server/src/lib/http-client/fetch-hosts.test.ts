import assert from "node:assert/strict";
import { test } from "node:test";
import { findFixedHost, type FixedHost } from "./fetch-hosts.ts";

const at = (name: string, port: number): FixedHost => ({
  name,
  address: "10.0.0.1",
  port,
});
const hosts = [
  at("*", 1),
  at("*.example", 2),
  at("*.b.example", 3),
  at("a.b.example", 4),
];

test("the closest entry counts", () => {
  const find = (host: string) => findFixedHost(hosts, host)?.port;
  assert.equal(find("kith.test"), 1);
  assert.equal(find("example"), 1);
  assert.equal(find("notexample"), 1);
  assert.equal(find("kith.example"), 2);
  assert.equal(find("x.b.example"), 3);
  assert.equal(find("a.b.example"), 4);
});

test("a host that is not named is refused, and an address is no name", () => {
  assert.equal(findFixedHost([at("*.example", 1)], "kith.test"), undefined);
  for (const literal of ["127.0.0.1", "169.254.169.254", "[::1]"])
    assert.equal(findFixedHost(hosts, literal), undefined);
});
