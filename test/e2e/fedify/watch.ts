import diagnostics from "node:diagnostics_channel";
import { configure, reset, type LogRecord } from "@logtape/logtape";

/** An activity that this process sent, as on the wire. */
export type Sent = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  body: string;
  /** The status of the response; 0 until there is one. */
  status: number;
};

/** Fedify's log and its requests to one server. */
export type Watch = {
  readonly sent: readonly Sent[];
  /** Each warning or error logged by Fedify, in words. */
  readonly complaints: readonly string[];
  remove(): Promise<void>;
};

/** A request of Node's own fetch, as its diagnostics report it. */
type Posted = {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
};

/** Fedify expects `formerType` as an IRI; ActivityStreams uses the bare name in its own example. */
const NO_COMPLAINT = /unknown vocabulary entity type reference: (?:Note|Event)/;

const GRAVE: ReadonlySet<string> = new Set(["warning", "error", "fatal"]);

/** Observes this process until it is removed; one at a time. */
export async function watchFedify(origin: string): Promise<Watch> {
  const complaints: string[] = [];
  await configure({
    sinks: {
      complaints: (record) => {
        const complaint = say(record);
        if (GRAVE.has(record.level) && !NO_COMPLAINT.test(complaint))
          complaints.push(complaint);
      },
    },
    loggers: [
      { category: "fedify", lowestLevel: "warning", sinks: ["complaints"] },
      { category: ["logtape", "meta"], lowestLevel: "error", sinks: [] },
    ],
  });
  const { sent, unsubscribe } = watchPosts(origin);
  return {
    sent,
    complaints,
    remove: async () => {
      unsubscribe();
      await reset();
    },
  };
}

function say({ category, message, properties }: LogRecord): string {
  const words = message.map((part) =>
    typeof part === "string" ? part : JSON.stringify(part),
  );
  const { error } = properties;
  return `${category.join(".")}: ${words.join("")} ${error instanceof Error ? error.message : ""}`;
}

function watchPosts(origin: string) {
  const sent: Sent[] = [];
  const known = new Map<Posted, Sent>();
  const on = <T>(name: string, handle: (message: T) => void) => {
    const listener = (message: unknown) => {
      handle(message as T);
    };
    diagnostics.subscribe(name, listener);
    return () => diagnostics.unsubscribe(name, listener);
  };
  const stops = [
    on<{ request: Posted }>("undici:request:create", ({ request }) => {
      if (request.method !== "POST" || request.origin !== origin) return;
      const headers = pairsOf(request.headers);
      // This process also makes the calls of the service API.
      if (!/activity\+json|ld\+json/.test(headers["content-type"] ?? ""))
        return;
      const one = { path: request.path, headers, body: "", status: 0 };
      known.set(request, one);
      sent.push(one);
    }),
    on<{ request: Posted; chunk: Uint8Array }>(
      "undici:request:bodyChunkSent",
      ({ request, chunk }) => {
        const one = known.get(request);
        if (one) one.body += Buffer.from(chunk).toString();
      },
    ),
    on<{ request: Posted; response: { statusCode: number } }>(
      "undici:request:headers",
      ({ request, response }) => {
        const one = known.get(request);
        if (one) one.status = response.statusCode;
      },
    ),
  ];
  return { sent, unsubscribe: () => stops.forEach((stop) => stop()) };
}

function pairsOf(flat: readonly string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2)
    pairs[(flat[i] ?? "").toLowerCase()] = flat[i + 1] ?? "";
  return pairs;
}
