import { isIP } from "node:net";
import { connect } from "node:tls";
import { findFixedHost, type FixedHost } from "./fetch-hosts.ts";

const TIMEOUT_MS = 10_000;

/**
 * The end of the certificate that an https address presents, valid or not.
 * @throws if nothing answers there, or without a certificate
 */
export function findCertificateEnd(
  { hostname, port }: URL,
  hosts: readonly FixedHost[] = [],
): Promise<Date> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const fixed = findFixedHost(hosts, host);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: fixed?.address ?? host,
      port: fixed?.port ?? Number(port === "" ? 443 : port),
      ...(isIP(host) === 0 && { servername: host }),
      // An expired one is read, too. Nothing is sent.
      rejectUnauthorized: false,
      timeout: TIMEOUT_MS,
    });
    socket.once("secureConnect", () => {
      const end = new Date(socket.getPeerCertificate().valid_to);
      socket.destroy();
      if (Number.isFinite(end.getTime())) resolve(end);
      else reject(new Error("The certificate has no end"));
    });
    socket.once("timeout", () =>
      socket.destroy(new Error("Nothing answers in time")),
    );
    socket.once("error", reject);
  });
}
