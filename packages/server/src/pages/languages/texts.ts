import { germanAbout } from "./de/server/about.ts";
import { germanAccount } from "./de/settings/account.ts";
import { germanAdmin } from "./de/server/admin.ts";
import { germanAnnouncements } from "./de/server/announcements.ts";
import { germanStatistics } from "./de/server/statistics.ts";
import { germanApps } from "./de/settings/apps.ts";
import { germanCalendars } from "./de/settings/calendars.ts";
import { germanCompose } from "./de/compose.ts";
import { germanContacts } from "./de/contacts.ts";
import { germanDetails } from "./de/details.ts";
import { germanEventForm } from "./de/event-form.ts";
import { germanEvents } from "./de/events.ts";
import { germanFilters } from "./de/settings/filters.ts";
import { germanHome } from "./de/home.ts";
import { germanImports } from "./de/settings/imports.ts";
import { germanInvitations } from "./de/settings/invitations.ts";
import { germanMails } from "./de/settings/mails.ts";
import { germanMessages } from "./de/messages.ts";
import { germanModeration } from "./de/server/moderation.ts";
import { germanNewcomers } from "./de/server/newcomers.ts";
import { germanNotifications } from "./de/notifications.ts";
import { germanPages } from "./de/pages.ts";
import { germanPrivacy } from "./de/settings/privacy.ts";
import { germanPush } from "./de/settings/push.ts";
import { germanScript } from "./de/script.ts";
import { germanReminders } from "./de/settings/reminders.ts";
import { germanRepeats } from "./de/repeats.ts";
import { germanSearch } from "./de/search.ts";
import { germanSecurity } from "./de/settings/security.ts";
import { germanPhotos } from "./de/photos.ts";
import { germanSetup } from "./de/server/setup.ts";
import { germanAudit } from "./de/server/audit.ts";
import { germanHeld } from "./de/server/held.ts";
import { germanSpam } from "./de/server/spam.ts";
import { germanStrikes } from "./de/server/strikes.ts";
import { germanStreams } from "./de/streams.ts";
import { germanWriting } from "./de/writing.ts";
import { englishAbout } from "./en/server/about.ts";
import { englishAccount } from "./en/settings/account.ts";
import { englishAdmin } from "./en/server/admin.ts";
import { englishAnnouncements } from "./en/server/announcements.ts";
import { englishStatistics } from "./en/server/statistics.ts";
import { englishApps } from "./en/settings/apps.ts";
import { englishCalendars } from "./en/settings/calendars.ts";
import { englishCompose } from "./en/compose.ts";
import { englishContacts } from "./en/contacts.ts";
import { englishDetails } from "./en/details.ts";
import { englishEventForm } from "./en/event-form.ts";
import { englishEvents } from "./en/events.ts";
import { englishFilters } from "./en/settings/filters.ts";
import { englishHome } from "./en/home.ts";
import { englishImports } from "./en/settings/imports.ts";
import { englishInvitations } from "./en/settings/invitations.ts";
import { englishMails } from "./en/settings/mails.ts";
import { englishMessages } from "./en/messages.ts";
import { englishModeration } from "./en/server/moderation.ts";
import { englishNewcomers } from "./en/server/newcomers.ts";
import { englishNotifications } from "./en/notifications.ts";
import { englishPages } from "./en/pages.ts";
import { englishPrivacy } from "./en/settings/privacy.ts";
import { englishPush } from "./en/settings/push.ts";
import { englishScript } from "./en/script.ts";
import { englishReminders } from "./en/settings/reminders.ts";
import { englishRepeats } from "./en/repeats.ts";
import { englishSearch } from "./en/search.ts";
import { englishSecurity } from "./en/settings/security.ts";
import { englishPhotos } from "./en/photos.ts";
import { englishSetup } from "./en/server/setup.ts";
import { englishAudit } from "./en/server/audit.ts";
import { englishHeld } from "./en/server/held.ts";
import { englishSpam } from "./en/server/spam.ts";
import { englishStrikes } from "./en/server/strikes.ts";
import { englishStreams } from "./en/streams.ts";
import { englishWriting } from "./en/writing.ts";
import { localize } from "./localize.ts";

// The texts of the pages, in the language of the request that reads them. They
// must be read while a request is answered, and not while a module is loaded.

export const aboutTexts = localize({ en: englishAbout, de: germanAbout });
export const accountTexts = localize({ en: englishAccount, de: germanAccount });
export const adminTexts = localize({ en: englishAdmin, de: germanAdmin });
export const auditTexts = localize({ en: englishAudit, de: germanAudit });
export const announcementTexts = localize({
  en: englishAnnouncements,
  de: germanAnnouncements,
});
export const statisticsTexts = localize({
  en: englishStatistics,
  de: germanStatistics,
});
export const privacyTexts = localize({ en: englishPrivacy, de: germanPrivacy });
export const appTexts = localize({ en: englishApps, de: germanApps });
export const calendarTexts = localize({
  en: englishCalendars,
  de: germanCalendars,
});
export const composeTexts = localize({ en: englishCompose, de: germanCompose });
export const contactTexts = localize({
  en: englishContacts,
  de: germanContacts,
});
export const detailTexts = localize({ en: englishDetails, de: germanDetails });
export const eventTexts = localize({ en: englishEvents, de: germanEvents });
export const eventFormTexts = localize({
  en: englishEventForm,
  de: germanEventForm,
});
export const filterTexts = localize({ en: englishFilters, de: germanFilters });
export const heldTexts = localize({ en: englishHeld, de: germanHeld });
export const homeTexts = localize({ en: englishHome, de: germanHome });
export const importTexts = localize({ en: englishImports, de: germanImports });
export const invitationTexts = localize({
  en: englishInvitations,
  de: germanInvitations,
});
export const mailTexts = localize({ en: englishMails, de: germanMails });
export const messageTexts = localize({
  en: englishMessages,
  de: germanMessages,
});
export const moderationTexts = localize({
  en: englishModeration,
  de: germanModeration,
});
export const newcomerTexts = localize({
  en: englishNewcomers,
  de: germanNewcomers,
});
export const notificationTexts = localize({
  en: englishNotifications,
  de: germanNotifications,
});
export const pageTexts = localize({ en: englishPages, de: germanPages });
export const pushTexts = localize({ en: englishPush, de: germanPush });
export const reminderTexts = localize({
  en: englishReminders,
  de: germanReminders,
});
export const repeatTexts = localize({ en: englishRepeats, de: germanRepeats });
export const scriptTexts = localize({ en: englishScript, de: germanScript });
export const searchPageTexts = localize({
  en: englishSearch,
  de: germanSearch,
});
export const securityTexts = localize({
  en: englishSecurity,
  de: germanSecurity,
});
export const photoTexts = localize({ en: englishPhotos, de: germanPhotos });
export const setupTexts = localize({ en: englishSetup, de: germanSetup });
export const strikeTexts = localize({ en: englishStrikes, de: germanStrikes });
export const spamTexts = localize({ en: englishSpam, de: germanSpam });
export const streamTexts = localize({ en: englishStreams, de: germanStreams });
export const writingTexts = localize({ en: englishWriting, de: germanWriting });
