import type { IncomingMessage, ServerResponse } from "node:http";

/** Converts a request of Node to Fedify's form, with the body as text. */
export async function readRequest(
  request: IncomingMessage,
  baseUrl: string,
): Promise<{ asked: Request; body: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const { method = "GET", url = "/" } = request;
  const headers = Object.entries(request.headersDistinct).map(
    ([name, values = []]): [string, string] => [name, values.join(", ")],
  );
  const asked = new Request(new URL(url, baseUrl), {
    method,
    headers,
    ...(method === "POST" ? { body } : {}),
  });
  return { asked, body: body.toString() };
}

/** Sends Fedify's response over Node's socket. */
export async function writeResponse(
  response: ServerResponse,
  answer: Response,
): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}
