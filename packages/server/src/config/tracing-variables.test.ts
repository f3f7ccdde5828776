import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "./config.ts";
import { ConfigError } from "./reader.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" };

function tracingOf(env: Readonly<Record<string, string>>) {
  const { config, warnings } = readConfig(env, {});
  assert.deepEqual(warnings, []);
  return config.tracing;
}

test("traces are exported where a collector is named, and not without", () => {
  assert.equal(tracingOf({}), null);
  assert.equal(tracingOf({ OTEL_SERVICE_NAME: "kith" }), null);
  assert.deepEqual(tracingOf(ENDPOINT), { protocol: "http/protobuf" });
  const only = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://c.example/t" };
  assert.deepEqual(tracingOf(only), { protocol: "http/protobuf" });
  const json = { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" };
  assert.deepEqual(tracingOf(json), { protocol: "http/json" });
  assert.equal(tracingOf({ ...ENDPOINT, OTEL_SDK_DISABLED: "TRUE" }), null);
  assert.equal(tracingOf({ ...ENDPOINT, OTEL_TRACES_EXPORTER: "none" }), null);
});

test("all faults of the variables are reported together, without their values", () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "secret@localhost:4318",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc",
    OTEL_TRACES_EXPORTER: "zipkin",
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "2",
  };
  assert.throws(
    () => readConfig(env, {}),
    (error) => {
      assert.ok(error instanceof ConfigError);
      assert.deepEqual(error.faults, [
        "OTEL_TRACES_EXPORTER must be otlp or none.",
        "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL with http or https.",
        "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be one of http/protobuf, http/json.",
        "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.",
      ]);
      return true;
    },
  );
  const unknown = { ...ENDPOINT, OTEL_TRACES_SAMPLER: "sometimes" };
  assert.throws(() => readConfig(unknown, {}), /OTEL_TRACES_SAMPLER must be/);
});
