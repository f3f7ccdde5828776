import { createServer, type IncomingHttpHeaders } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** A span in the JSON encoding of OTLP/HTTP. @see opentelemetry-proto, trace.proto */
export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: readonly {
    readonly traceId: string;
    readonly spanId: string;
  }[];
};

type OtlpAttribute = {
  readonly key: string;
  readonly value: {
    readonly stringValue?: string;
    readonly intValue?: number;
  };
};

type ExportRequest = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
};

export type ReceivedExport = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** A collector on a loopback port, which keeps what it is sent. */
export async function startOtlpReceiver() {
  const exports: ReceivedExport[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      exports.push({ path, headers, body: Buffer.concat(chunks) });
      response.setHeader("content-type", headers["content-type"] ?? "");
      response.end(
        headers["content-type"] === "application/json" ? "{}" : undefined,
      );
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const resources = () =>
    exports.flatMap(({ body }) => {
      const { resourceSpans } = JSON.parse(body.toString()) as ExportRequest;
      return resourceSpans;
    });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    exports,
    /** Of exports in JSON. */
    spans: (): ReceivedSpan[] =>
      resources().flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    resourceAttribute: (key: string) =>
      resources()[0]?.resource.attributes.find((one) => one.key === key)?.value
        .stringValue,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export function attributeOf(span: ReceivedSpan, key: string) {
  const value = span.attributes.find((one) => one.key === key)?.value;
  return value?.stringValue ?? value?.intValue;
}
