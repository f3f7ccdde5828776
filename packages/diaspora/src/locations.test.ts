import assert from "node:assert/strict";
import { test } from "node:test";
import { fault } from "../test/fault.ts";
import {
  fetchUrl,
  personStreamUrl,
  receivePrivateUrl,
  receivePublicUrl,
  seedLocationOf,
} from "./locations.ts";

const SEED = "https://pod.example:8443/";
const GUID = "a-b_c@d.e:f0123456";

test("a seed location is scheme, host and port", () => {
  assert.equal(
    seedLocationOf("HTTPS://Pod.example:443/x?y#z"),
    "https://pod.example/",
  );
  assert.equal(
    seedLocationOf("http://localhost:3000"),
    "http://localhost:3000/",
  );
  for (const url of ["", "pod.example", "ftp://pod.example/", "https://"]) {
    assert.throws(
      () => seedLocationOf(url),
      fault("discovery", "invalid_property"),
    );
  }
});

test("all addresses are below it", () => {
  assert.equal(
    receivePublicUrl(SEED),
    "https://pod.example:8443/receive/public",
  );
  assert.equal(
    receivePrivateUrl(SEED, GUID),
    `https://pod.example:8443/receive/users/${GUID}`,
  );
  assert.equal(
    fetchUrl(SEED, "status_message", GUID),
    `https://pod.example:8443/fetch/status_message/${GUID}`,
  );
  assert.equal(
    personStreamUrl(SEED, GUID),
    `https://pod.example:8443/people/${GUID}/stream`,
  );
});

test("other input does not get into a path", () => {
  for (const guid of [
    "short",
    "../../../../etc/passwd",
    "aaaaaaaaaaaaaaaa?b",
    "",
  ]) {
    assert.throws(
      () => fetchUrl(SEED, "post", guid),
      fault("discovery", "invalid_property"),
    );
    assert.throws(
      () => receivePrivateUrl(SEED, guid),
      fault("discovery", "invalid_property"),
    );
  }
  for (const type of ["", "Post", "../x", "_post"]) {
    assert.throws(
      () => fetchUrl(SEED, type, GUID),
      fault("discovery", "invalid_property"),
    );
  }
});
