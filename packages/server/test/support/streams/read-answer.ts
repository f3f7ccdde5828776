/** Reads an answer, and leaves a stream of events, which would not end. */
export async function readAnswer(response: Response): Promise<string> {
  if (response.headers.get("content-type") !== "text/event-stream")
    return response.text();
  await response.body?.cancel();
  return "";
}
