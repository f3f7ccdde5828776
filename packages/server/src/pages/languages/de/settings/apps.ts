import type { Scope } from "../../../../features/oauth/index.ts";
import type { englishApps } from "../../en/settings/apps.ts";

const admin = (verb: string) => ({
  accounts: `Konten und Leute ${verb}, wie die Moderation`,
  reports: `Meldungen ${verb}, wie die Moderation`,
  domain_allows: `die Liste erlaubter Server ${verb}`,
  domain_blocks: `die Liste gesperrter Server ${verb}`,
  ip_blocks: `gesperrte Adressen im Netz ${verb}`,
  email_domain_blocks: `gesperrte E-Mail-Anbieter ${verb}`,
  canonical_email_blocks: `gesperrte E-Mail-Adressen ${verb}`,
});

const [reading, writing] = [admin("sehen"), admin("ändern")];

const scopes: Readonly<Record<Scope, string>> = {
  profile: "deinen Namen, deine Adresse und dein Bild sehen",
  read: "alles lesen, was du hier sehen kannst: auch beschränkte Beiträge, Nachrichten, Kontakte und Einstellungen",
  "read:accounts": "Profile und deine Einstellungen sehen",
  "read:blocks": "sehen, wen du blockiert hast",
  "read:bookmarks": "deine Lesezeichen sehen",
  "read:collections": "deine Sammlungen sehen",
  "read:favourites": "sehen, was dir gefällt",
  "read:filters": "deine Filter sehen",
  "read:follows": "sehen, wem und welchen Tags du folgst",
  "read:lists": "deine Aspekte sehen, und wer darin ist",
  "read:mutes": "sehen, wen du ignorierst",
  "read:notifications": "deine Mitteilungen sehen",
  "read:search": "in deinem Namen suchen",
  "read:statuses":
    "Beiträge, Kommentare, Termine und Nachrichten lesen, auch beschränkte",
  write:
    "alles tun, was du hier tust: Beiträge und Nachrichten schreiben, ändern und löschen, dein Profil und deine Kontakte ändern",
  "write:accounts": "dein Profil und deine Einstellungen ändern",
  "write:blocks": "Leute und Server blockieren und wieder freigeben",
  "write:bookmarks": "deine Lesezeichen ändern",
  "write:collections": "deine Sammlungen ändern",
  "write:conversations":
    "Nachrichten als gelesen markieren und Unterhaltungen ausblenden",
  "write:favourites": "in deinem Namen Beiträge liken",
  "write:filters": "deine Filter ändern",
  "write:follows":
    "Leuten und Tags folgen, und Anfragen beantworten, dir zu folgen",
  "write:lists": "deine Aspekte ändern",
  "write:media": "Fotos hochladen, ändern und löschen",
  "write:mutes": "Leute ignorieren und Beiträge stummschalten",
  "write:notifications": "Mitteilungen als gelesen markieren",
  "write:reports": "Leute und Beiträge in deinem Namen melden",
  "write:statuses":
    "deine Beiträge, Kommentare, Termine und Nachrichten schreiben, ändern und löschen",
  follow: "sehen und ändern, wem du folgst, wen du blockierst und ignorierst",
  push: "deine Mitteilungen an dein Gerät schicken",
  "admin:read": "alles sehen, was die Verwaltung dieses Servers sieht",
  "admin:read:accounts": reading.accounts,
  "admin:read:reports": reading.reports,
  "admin:read:domain_allows": reading.domain_allows,
  "admin:read:domain_blocks": reading.domain_blocks,
  "admin:read:ip_blocks": reading.ip_blocks,
  "admin:read:email_domain_blocks": reading.email_domain_blocks,
  "admin:read:canonical_email_blocks": reading.canonical_email_blocks,
  "admin:write": "diesen Server in deinem Namen verwalten",
  "admin:write:accounts": writing.accounts,
  "admin:write:reports": writing.reports,
  "admin:write:domain_allows": writing.domain_allows,
  "admin:write:domain_blocks": writing.domain_blocks,
  "admin:write:ip_blocks": writing.ip_blocks,
  "admin:write:email_domain_blocks": writing.email_domain_blocks,
  "admin:write:canonical_email_blocks": writing.canonical_email_blocks,
};

export const germanApps: typeof englishApps = {
  scopes,

  authorize: {
    title: "Eine App zulassen",
    asks: "möchte dein Konto benutzen",
    site: "Ihre Seite ist nach eigener Angabe",
    noSite: "Sie nennt keine Seite.",
    can: "Sie kann:",
    cannot:
      "Sie erfährt nie dein Passwort, und kann weder das Passwort ändern noch das Konto löschen. Du kannst ihren Zugriff jederzeit in deinen Einstellungen beenden.",
    admin:
      "Du hilfst, diesen Server zu betreiben, und auch danach fragt die App. Lass sie nur zu, wenn du sie gut kennst.",
    account: "Dein Konto",
    other: "Ein anderes Konto benutzen",
    leadsTo: "Danach geht es weiter zu",
    program: "einem Programm auf diesem Gerät",
    showsCode: "Danach siehst du einen Code, den du in die App kopierst.",
    allow: "Zulassen",
    deny: "Nicht zulassen",
    expired:
      "Das Formular war veraltet, deshalb wurde nichts zugelassen. Sieh es dir an und wähle noch einmal.",
  },

  code: {
    title: "Dein Code",
    text: "Kopiere diesen Code in die App. Er gilt einmal, zehn Minuten lang. Gib ihn niemandem sonst.",
    label: "Code",
  },

  denied: {
    title: "Nicht zugelassen",
    text: "Die App hat keinen Zugriff auf dein Konto. Du kannst diese Seite schließen.",
  },

  unknown: {
    title: "Diese App kann nicht zugelassen werden",
    app: "Dieser Server kennt die App nicht. Vielleicht muss sie neu eingerichtet werden: Entferne das Konto aus der App und füge es wieder hinzu.",
    redirect_uri:
      "Die App möchte dich an einen Ort schicken, der nicht zu ihr gehört, deshalb wurde nichts getan.",
  },

  refused: {
    title: "Die App fragt nach etwas, das es nicht gibt",
    text: "Das ist ein Fehler der App. Sie bekommt diese Meldung:",
    back: "Zurück zur App",
  },

  access: {
    title: "Apps mit Zugriff",
    about:
      "Diesen Apps hast du erlaubt, dein Konto zu benutzen. Eine App ohne Zugriff muss dich wieder fragen.",
    none: "Keine App hat Zugriff auf dein Konto.",
    made: "zugelassen",
    used: "zuletzt benutzt",
    end: "Zugriff beenden",
    endAll: "Den Zugriff aller Apps beenden",
    ended: "Der Zugriff ist beendet.",
    endedAll: "Keine App hat noch Zugriff.",
    link: "Apps mit Zugriff",
    linkAbout: "Was du Apps erlaubt hast, und wie du es beendest",
  },
};
