import { Agent, request } from "node:http";

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** From the request to the last byte. */
  readonly tookMs: number;
};

export type Call = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

const TIMEOUT_MS = 30_000;

/** Connects to a server on a loopback port, using its name on the network. */
export class Caller {
  readonly #port: number;
  readonly #host: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(port: number, host: string) {
    this.#port = port;
    this.#host = host;
  }

  /** @throws without an answer */
  call({ method, path, headers = {}, body }: Call): Promise<Answer> {
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: this.#port,
          method,
          path,
          agent: this.#agent,
          timeout: TIMEOUT_MS,
          headers: {
            host: this.#host,
            ...headers,
            ...(body === undefined
              ? {}
              : { "content-length": Buffer.byteLength(body) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
              tookMs: performance.now() - startedAt,
            });
          });
        },
      );
      sent.on("timeout", () => sent.destroy(new Error("no answer in time")));
      sent.on("error", reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
