import { createSecureContext, type SecureContext } from "node:tls";
import { Agent, buildConnector } from "undici";
import {
  cacheResolver,
  createCheckedLookup,
  createNameServerResolver,
  resolveBySystem,
} from "./fetch-dns.ts";
import type { Resolve } from "./fetch-dns.ts";
import { findFixedHost, type FixedHost } from "./fetch-hosts.ts";

export type AgentOptions = {
  allowPrivateNetwork: boolean;
  resolve?: Resolve;
  hosts?: readonly FixedHost[];
  maxConnectionsPerOrigin?: number;
};

const KEEP_ALIVE_MS = 15_000;
const MAX_ORIGINS = 20_000;
const MAX_HEADER_BYTES = 16_384;
// A resolver may return unreachable addresses: after this time the next one is
// tried, too.
const NEXT_ADDRESS_MS = 1_000;

/**
 * Creates connection pools. undici fixes the connect timeout of a pool, so each
 * timeout has an agent of its own; callers use few.
 */
export function createAgents(options: AgentOptions) {
  const resolve = cacheResolver(
    options.resolve ??
      (options.allowPrivateNetwork
        ? resolveBySystem
        : createNameServerResolver()),
  );
  const agents = new Map<number, Agent>();
  // Otherwise each connection reads all certificates of authorities anew, which
  // takes longer than signing a request.
  let secureContext: SecureContext | undefined;
  return {
    /** The agent with this connect timeout. */
    get(connectTimeoutMs: number): Agent {
      const known = agents.get(connectTimeoutMs);
      if (known) return known;
      secureContext ??= createSecureContext();
      const agent = createAgent(options, {
        resolve,
        secureContext,
        connectTimeoutMs,
      });
      agents.set(connectTimeoutMs, agent);
      return agent;
    },
    /** Closes every connection, with its pending requests. */
    async destroy(): Promise<void> {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

function createAgent(
  options: AgentOptions,
  {
    resolve,
    secureContext,
    connectTimeoutMs,
  }: {
    readonly resolve: Resolve;
    readonly secureContext: SecureContext;
    readonly connectTimeoutMs: number;
  },
): Agent {
  const connector = (privateOnly: boolean) =>
    buildConnector({
      secureContext,
      timeout: connectTimeoutMs,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      lookup: createCheckedLookup({
        resolve,
        publicOnly: !options.allowPrivateNetwork,
        privateOnly,
      }),
    });
  const secure = connector(false);
  const plain = connector(true);
  const fixed = buildConnector({ secureContext, timeout: connectTimeoutMs });
  return new Agent({
    connections: options.maxConnectionsPerOrigin ?? 16,
    maxOrigins: MAX_ORIGINS,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the whole request is stricter.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      const isSecure = target.protocol === "https:";
      const at =
        isSecure && findFixedHost(options.hosts ?? [], target.hostname);
      if (!at) return (isSecure ? secure : plain)(target, callback);
      // The certificate is still checked against the name.
      const { address: hostname, port } = at;
      const servername = target.servername ?? target.hostname;
      fixed({ ...target, hostname, port: String(port), servername }, callback);
    },
  });
}
