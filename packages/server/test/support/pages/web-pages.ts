import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach } from "node:test";

type Respond = (response: ServerResponse, path: string) => void;

/** A site on a loopback port whose pages the test writes. */
type WebPages = {
  /** The paths that were asked for, in their order. */
  readonly visits: string[];
  /** The paths asked for together with their headers. */
  readonly headers: NodeJS.Dict<string | string[]>[];
  respond: Respond;
  at(path: string): string;
};

/** Responds with an HTML page. */
export function page(
  html: string | Uint8Array,
  type = "text/html; charset=utf-8",
): Respond {
  return (response) =>
    void response.writeHead(200, { "content-type": type }).end(html);
}

/** Starts the site before the tests of a file and stops it after them. */
export function useWebPages(): WebPages {
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    site.visits.push(path);
    site.headers.push(request.headers);
    site.respond(response, path);
  });
  const nothing: Respond = (response) => void response.writeHead(404).end();
  const site: WebPages = {
    visits: [],
    headers: [],
    respond: nothing,
    at: (path) =>
      `http://localhost:${(server.address() as AddressInfo).port}${path}`,
  };
  before(
    () => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)),
  );
  beforeEach(() => {
    site.visits.length = 0;
    site.headers.length = 0;
    site.respond = nothing;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return site;
}
