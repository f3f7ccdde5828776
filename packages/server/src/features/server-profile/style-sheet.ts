import { createHash } from "node:crypto";
import { KithError } from "../../lib/errors.ts";
import { inkOn } from "./accent.ts";
import type { ServerProfile } from "./server-profile-store.ts";

/** UTF-8. */
export const MAX_STYLE_BYTES = 20 * 1024;

/** Why a style sheet is refused. */
export type StyleFault =
  | { readonly kind: "too_long" }
  | { readonly kind: "unreadable"; readonly line: number }
  /** Such as `@import` or `image-set()`. */
  | { readonly kind: "forbidden"; readonly what: string }
  | { readonly kind: "unclosed" }
  | { readonly kind: "elsewhere" };

export class StyleRefused extends KithError {
  readonly fault: StyleFault;
  constructor(fault: StyleFault, message: string) {
    super("bad_request", `The parameter style ${message}.`);
    this.name = "StyleRefused";
    this.fault = fault;
  }
}

/** The style sheet after that of the pages, with the version in its address. */
export type ServerStyle = { readonly version: string; readonly css: string };

export function composeStyle(
  server: Pick<ServerProfile, "accentDark" | "accentLight" | "style">,
): ServerStyle | null {
  const css = [accentRules(server), server.style]
    .filter((part) => part !== "")
    .join("\n");
  if (css === "") return null;
  const hash = createHash("sha256").update(css).digest("hex");
  return { version: hash.slice(0, 24), css };
}

/** Readers who want more contrast keep the colours made for them. */
function accentRules({
  accentLight,
  accentDark,
}: Pick<ServerProfile, "accentDark" | "accentLight">): string {
  if (accentLight === "" && accentDark === "") return "";
  const light = accentLight || "#0b6157";
  const dark = accentDark || "#7dd3c2";
  const inks = [light, dark].map(inkOn).join(", ");
  return `@media not (prefers-contrast: more) {
  :root {
    --accent: light-dark(${light}, ${dark});
    --on-accent: light-dark(${inks});
  }
}`;
}
