import { readCookie } from "../session/session-cookie.ts";
import type { NoticeName } from "../languages/en/server/admin.ts";
import { adminTexts } from "../languages/texts.ts";

const NAME = "kith_admin_notice";
const WHERE = "Path=/admin; HttpOnly; SameSite=Lax";

/** Stores a name, not a text: a forged cookie cannot put words on the page. */
export function setAdminNotice(notice: NoticeName): string {
  return `${NAME}=${notice}; Max-Age=120; ${WHERE}`;
}

export function clearAdminNotice(): string {
  return `${NAME}=; Max-Age=0; ${WHERE}`;
}

export function readAdminNotice(
  header: string | undefined,
): NoticeName | undefined {
  const name = readCookie(header, NAME, /^[a-z_]{1,40}$/);
  return name !== undefined && Object.hasOwn(adminTexts.notices, name)
    ? (name as NoticeName)
    : undefined;
}
