import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  isForbiddenAddress,
  isPrivateAddress,
  networkOf,
} from "./addresses.ts";

const FORBIDDEN = [
  ["this network", "0.0.0.0", "0.1.2.3", "0.255.255.255"],
  ["private", "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255"],
  ["private", "192.168.0.0", "192.168.255.255"],
  ["shared", "100.64.0.0", "100.127.255.255"],
  ["loopback", "127.0.0.1", "127.255.255.254"],
  ["link-local", "169.254.0.0", "169.254.169.254", "169.254.255.255"],
  ["protocol assignments", "192.0.0.0", "192.0.0.170", "192.0.0.255"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.255"],
  ["6to4 relay", "192.88.99.0", "192.88.99.255"],
  ["benchmarking", "198.18.0.0", "198.19.255.255"],
  ["multicast", "224.0.0.1", "239.255.255.255"],
  ["reserved", "240.0.0.1", "255.255.255.254", "255.255.255.255"],
  ["unspecified", "::", "0:0:0:0:0:0:0:0"],
  ["loopback", "::1", "0000::0001"],
  ["mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1"],
  ["mapped", "::ffff:169.254.169.254", "::ffff:0:0", "::FFFF:C0A8:0101"],
  ["compatible", "::127.0.0.1", "::7f00:1", "::8.8.8.8"],
  ["translated", "::ffff:0:127.0.0.1"],
  ["NAT64", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::8.8.8.8"],
  ["local NAT64", "64:ff9b:1::1", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["discard", "100::", "100::ffff:ffff:ffff:ffff"],
  ["Teredo", "2001::1", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ORCHID", "2001:10::1", "2001:1f:ffff::1", "2001:20::1", "2001:2f::1"],
  ["benchmarking", "2001:2::1"],
  ["documentation", "2001:db8::1", "2001:db8:ffff::1", "3fff::1", "3fff:fff::"],
  ["6to4", "2002::1", "2002:7f00:1::1", "2002:ffff::1"],
  ["unique local", "fc00::1", "fd12:3456::1", "fdff:ffff::1"],
  ["link-local", "fe80::1", "febf::1", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["multicast", "ff00::1", "ff02::1", "ffff::1"],
  ["never handed out", "1::1", "4000::1", "5f00::1", "8000::1", "e000::1"],
  ["zone", "2606:4700::1111%eth0"],
  ["no address", "", "localhost", "127.1", "0x7f.1", "2130706433", "1.2.3"],
  ["no address", "01.2.3.4", "1.2.3.4.5", "[::1]", "8.8.8.8/32", " 8.8.8.8"],
];

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "128.0.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.167.255.255",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "::ffff:8.8.8.8",
  "2606:4700:4700::1111",
  "2a00:1450:4001::1",
  "2001:4860:4860::8888",
  "2400:cb00::1",
];

for (const [range, ...addresses] of FORBIDDEN) {
  for (const address of addresses) {
    test(`forbids ${address} (${String(range)})`, () => {
      assert.equal(isForbiddenAddress(address), true);
    });
  }
}

test("admits public addresses next to the ranges", () => {
  for (const address of PUBLIC) {
    assert.equal(isForbiddenAddress(address), false, address);
    assert.equal(isPrivateAddress(address), false, address);
  }
});

test("distinguishes loopback and private addresses from other special ones", () => {
  const yes = ["127.0.0.1", "10.1.2.3", "172.20.0.1", "192.168.1.1", "::1"];
  for (const address of [...yes, "fd00::1", "::ffff:127.0.0.1"]) {
    assert.equal(isPrivateAddress(address), true, address);
  }
  const no = ["169.254.169.254", "0.0.0.0", "224.0.0.1", "100.64.0.1", "::"];
  for (const address of [...no, "fe80::1", "64:ff9b::7f00:1", "localhost"]) {
    assert.equal(isPrivateAddress(address), false, address);
  }
});

describe("the network of a subscriber", () => {
  const cases: [string, string | undefined][] = [
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1:50123", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["[::ffff:192.0.2.1]:443", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff::1", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::7]:443", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::7]", "2001:db8:1:2::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ...["", "unknown", "127.1", "0x7f000001", "192.0.2.1.1", "192.0.2.256"].map(
      (text): [string, undefined] => [text, undefined],
    ),
    ...[
      "192.0.2.1 ",
      "192.0.2.1, 192.0.2.2",
      "[::1",
      "::g",
      "a".repeat(9000),
    ].map((text): [string, undefined] => [text, undefined]),
  ];
  for (const [text, expected] of cases)
    test(`of ${text.slice(0, 40)} is ${expected}`, () => {
      assert.equal(networkOf(text), expected);
    });
});
