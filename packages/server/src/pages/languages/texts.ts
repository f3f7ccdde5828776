import { germanAdmin } from "./de/admin.ts";
import { germanContacts } from "./de/contacts.ts";
import { germanEvents } from "./de/events.ts";
import { germanInvitations } from "./de/invitations.ts";
import { germanMessages } from "./de/messages.ts";
import { germanModeration } from "./de/moderation.ts";
import { germanNotifications } from "./de/notifications.ts";
import { germanPages } from "./de/pages.ts";
import { germanSecurity } from "./de/security.ts";
import { germanWriting } from "./de/writing.ts";
import { englishAdmin } from "./en/admin.ts";
import { englishContacts } from "./en/contacts.ts";
import { englishEvents } from "./en/events.ts";
import { englishInvitations } from "./en/invitations.ts";
import { englishMessages } from "./en/messages.ts";
import { englishModeration } from "./en/moderation.ts";
import { englishNotifications } from "./en/notifications.ts";
import { englishPages } from "./en/pages.ts";
import { englishSecurity } from "./en/security.ts";
import { englishWriting } from "./en/writing.ts";
import { localize } from "./localize.ts";

// The texts of the pages, in the language of the request that reads them. They
// must be read while a request is answered, and not while a module is loaded.

export const adminTexts = localize({ en: englishAdmin, de: germanAdmin });
export const contactTexts = localize({
  en: englishContacts,
  de: germanContacts,
});
export const eventTexts = localize({ en: englishEvents, de: germanEvents });
export const invitationTexts = localize({
  en: englishInvitations,
  de: germanInvitations,
});
export const messageTexts = localize({
  en: englishMessages,
  de: germanMessages,
});
export const moderationTexts = localize({
  en: englishModeration,
  de: germanModeration,
});
export const notificationTexts = localize({
  en: englishNotifications,
  de: germanNotifications,
});
export const pageTexts = localize({ en: englishPages, de: germanPages });
export const securityTexts = localize({
  en: englishSecurity,
  de: germanSecurity,
});
export const writingTexts = localize({ en: englishWriting, de: germanWriting });
