export const APPEARANCES = ["system", "light", "dark"] as const;

/** In which colours a browser shows pages; `system`: as its device prefers. */
export type Appearance = (typeof APPEARANCES)[number];

const NAME = "kith_appearance";
const CHOSEN = new RegExp(`(?:^|;) *${NAME}=(light|dark) *(?:;|$)`);
const YEAR_SECONDS = 365 * 24 * 3600;

/**
 * It belongs to the browser and not to the account, since a phone at night and
 * a screen in an office differ. The first paint is right already, because the
 * server reads it.
 */
export function readAppearance(header: string | undefined): Appearance {
  const [, chosen] = CHOSEN.exec(header ?? "") ?? [];
  return chosen === "light" || chosen === "dark" ? chosen : "system";
}

/** A `Set-Cookie` value. */
export function setAppearance(appearance: Appearance, baseUrl: string): string {
  const seconds = appearance === "system" ? 0 : YEAR_SECONDS;
  const secure = baseUrl.startsWith("https:") ? "; Secure" : "";
  return `${NAME}=${appearance}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
