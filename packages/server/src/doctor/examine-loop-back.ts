import { messageOf } from "../lib/errors.ts";
import { failed, ok, type Finding } from "../lib/finding.ts";
import type { SignatureForm } from "../federation/peers/peers.ts";

/** The two forms of signatures in use; the third is a part of the first. */
const FORMS = {
  cavage: "draft-cavage",
  rfc9421: "RFC 9421",
} as const satisfies Partial<Record<SignatureForm, string>>;

/**
 * Do signed requests arrive unchanged? @param send a signed delivery to this
 * server; resolves with its status
 */
export async function examineLoopBack(
  send: (form: SignatureForm) => Promise<number>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const form of ["cavage", "rfc9421"] as const)
    findings.push(await examineForm(send, form, `delivery (${FORMS[form]})`));
  return findings;
}

const ADVICE =
  "What signatures cover is changed on the way. Let the proxy pass on the Host header, the path with its query, the Date, Digest and Signature headers and the body unchanged, and X-Forwarded-Proto where Kith is told to believe it.";

async function examineForm(
  send: (form: SignatureForm) => Promise<number>,
  form: SignatureForm,
  check: string,
): Promise<Finding> {
  try {
    const status = await send(form);
    if (status === 204)
      return ok(
        check,
        "A signed delivery to our own inbox was verified there.",
      );
    return status === 401
      ? failed(check, "Our own signature was not valid at our inbox.", ADVICE)
      : failed(check, `Our own inbox answers ${status}.`, ADVICE);
  } catch (error) {
    return failed(
      check,
      `Our own inbox cannot be reached: ${messageOf(error)}.`,
      "See the findings about the base URL.",
    );
  }
}
