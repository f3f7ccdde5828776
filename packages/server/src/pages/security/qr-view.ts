import { html, type Html } from "../kit/html.ts";

/** Width of the quiet zone, in modules. */
const BORDER = 4;

/** Renders a QR code, black on white in every colour scheme. */
export async function qrView(text: string, label: string): Promise<Html> {
  // Loaded on demand: few users need it.
  const { encodeQR } = await import("qr");
  const rows = encodeQR(text, "raw", { border: BORDER });
  const path = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return html`<svg
    class="qr"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${rows.length} ${rows.length}"
    shape-rendering="crispEdges"
  >
    <rect width="100%" height="100%" fill="#fff" />
    <path fill="#000" d="${path.join("")}" />
  </svg>`;
}
