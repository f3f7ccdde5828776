import type { GuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import { SIGNATURE_FORMS, type Peers, type SignatureForm } from "./peers.ts";

type Request = Parameters<GuardedFetch["request"]>[0];
type Answer = Awaited<ReturnType<GuardedFetch["request"]>>;
export type Sign = NonNullable<Request["sign"]>;

type RequestSignedDeps = {
  readonly fetch: Pick<GuardedFetch, "request">;
  readonly peers: Pick<Peers, "signatureFormOf" | "noteSignatureForm">;
};

/**
 * Sends a request, signed in one form after the other until one is accepted,
 * beginning with the form that the server accepted last. The accepted form is
 * remembered.
 * @param refusals statuses that may refer to the signature, and not the request
 * @returns the response to the first accepted form, or else to the first of all
 * @throws {FetchRefused} as the guarded fetch does
 */
export async function requestSigned(
  { fetch, peers }: RequestSignedDeps,
  request: Request,
  signAs: (form: SignatureForm) => Sign,
  refusals: ReadonlySet<number>,
): Promise<Answer> {
  const { origin } = new URL(request.url);
  const usual = await peers.signatureFormOf(origin);
  const ask = (form: SignatureForm) =>
    fetch.request({ ...request, sign: signAs(form) });
  const first = await ask(usual);
  if (!refusals.has(first.status)) return first;
  for (const form of SIGNATURE_FORMS) {
    if (form === usual) continue;
    const answer = await ask(form);
    if (refusals.has(answer.status)) continue;
    const wasTaken = answer.status >= 200 && answer.status < 300;
    // A response after a redirect to another server says nothing about this
    // one.
    if (wasTaken && new URL(answer.url).origin === origin)
      await peers.noteSignatureForm(origin, form);
    return answer;
  }
  return first;
}
