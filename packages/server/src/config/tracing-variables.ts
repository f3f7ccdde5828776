import type { Env } from "./reader.ts";

const PROTOCOLS = ["http/protobuf", "http/json"] as const;

/** How traces are exported; null if nobody asks for them. */
export type TracingConfig = {
  readonly protocol: (typeof PROTOCOLS)[number];
} | null;

/**
 * Reads the variables of OpenTelemetry that decide whether its packages are
 * loaded; the packages read the others. A variable for traces wins over that for all
 * signals. Values may be secret and are not repeated.
 * @param fault takes each fault, a sentence
 * @see OpenTelemetry specification, "Environment Variable Specification"
 */
export function readTracing(
  env: Env,
  fault: (text: string) => void,
): TracingConfig {
  const given = (name: string) => env[name]?.trim() ?? "";
  const ofTraces = (name: string): [string, string] => {
    const specific = `OTEL_EXPORTER_OTLP_TRACES_${name}`;
    const usual = `OTEL_EXPORTER_OTLP_${name}`;
    const used = given(specific) === "" ? usual : specific;
    return [used, given(used)];
  };
  const [endpointName, endpoint] = ofTraces("ENDPOINT");
  if (endpoint === "" || given("OTEL_SDK_DISABLED").toLowerCase() === "true")
    return null;
  const exporter = given("OTEL_TRACES_EXPORTER");
  if (exporter === "none") return null;
  if (exporter !== "" && exporter !== "otlp")
    fault("OTEL_TRACES_EXPORTER must be otlp or none.");
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ""))
    fault(`${endpointName} must be a URL with http or https.`);
  const [protocolName, text] = ofTraces("PROTOCOL");
  const protocol = PROTOCOLS.find((it) => it === text);
  if (text !== "" && protocol === undefined)
    fault(`${protocolName} must be one of ${PROTOCOLS.join(", ")}.`);
  refuseSampler(given, fault);
  return { protocol: protocol ?? "http/protobuf" };
}

const SAMPLERS = new Set([
  ...["always_on", "always_off", "traceidratio"],
  ...["parentbased_always_on", "parentbased_always_off"],
  ...["parentbased_traceidratio"],
]);

/** The packages would trace everything after a slip of the pen. */
function refuseSampler(
  given: (name: string) => string,
  fault: (text: string) => void,
): void {
  const sampler = given("OTEL_TRACES_SAMPLER");
  if (sampler !== "" && !SAMPLERS.has(sampler))
    fault(`OTEL_TRACES_SAMPLER must be one of ${[...SAMPLERS].join(", ")}.`);
  const share = given("OTEL_TRACES_SAMPLER_ARG");
  if (!sampler.endsWith("traceidratio")) return;
  if (share === "" || !(Number(share) >= 0 && Number(share) <= 1))
    fault("OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.");
}
