import type { englishMails } from "../../en/settings/mails.ts";

/** The German texts of mails, and of the pages about them. */
export const germanMails: typeof englishMails = {
  hello: (name) => `Hallo ${name},`,
  account: {
    confirm: {
      subject: "Bestätige deine E-Mail-Adresse",
      says: (handle) =>
        `diese Adresse wurde für das Konto ${handle} angegeben. Öffne diese Seite innerhalb eines Tages, um sie zu bestätigen:`,
      link: "Die Adresse bestätigen",
      ignore:
        "Wenn du dieses Konto nicht hast, beachte diese Mail nicht: Ohne Bestätigung wird dir nichts weiter geschickt.",
    },
    address_changed: {
      subject: "Deine E-Mail-Adresse wurde geändert",
      says: (handle) =>
        `das Konto ${handle} hat diese Adresse nicht mehr: Jemand, der das Passwort kannte, hat sie geändert oder entfernt. Mails über das Konto kommen nicht mehr hierher.`,
      link: "Sicherheit des Kontos",
      ignore:
        "Wenn du das nicht warst, ändere das Passwort oder bitte die um Hilfe, die den Server betreiben.",
    },
    reset: {
      subject: "Wähle ein neues Passwort",
      says: (handle) =>
        `jemand, hoffentlich du, hat das Passwort des Kontos ${handle} verloren. Öffne diese Seite innerhalb einer Stunde, um ein neues zu wählen:`,
      link: "Ein neues Passwort wählen",
      ignore:
        "Wenn du das nicht warst, beachte diese Mail nicht: Dein Passwort bleibt, wie es ist.",
    },
    password_changed: {
      subject: "Dein Passwort wurde geändert",
      says: (handle) =>
        `das Konto ${handle} hat ein neues Passwort. Es wurde über einen Link gewählt, der an diese Adresse ging. Alle Sitzungen und Programme müssen sich neu anmelden.`,
      link: "Anmelden",
      ignore:
        "Wenn du das nicht warst, wähle über einen solchen Link ein neues Passwort und sorge dafür, dass niemand sonst deine Mails liest.",
    },
    strike: {
      subject: "Die Moderation hat über dein Konto entschieden",
      says: (handle) =>
        `die Moderation des Servers hat etwas entschieden, das das Konto ${handle} betrifft. Diese Seite zeigt es; wenn das Konto gesperrt ist, melde dich an, um den Grund zu lesen:`,
      link: "Die Entscheidung zeigen",
      ignore: "Dort kannst du innerhalb von 20 Tagen Widerspruch einlegen.",
    },
    appeal_accepted: {
      subject: "Deinem Widerspruch wurde stattgegeben",
      says: (handle) =>
        `die Moderation des Servers hat deinem Widerspruch für das Konto ${handle} stattgegeben und ihre Entscheidung zurückgenommen.`,
      link: "Die Entscheidung zeigen",
      ignore: "Ein gelöschter Text kommt nicht zurück.",
    },
    appeal_rejected: {
      subject: "Dein Widerspruch wurde abgelehnt",
      says: (handle) =>
        `die Moderation des Servers hat deinen Widerspruch für das Konto ${handle} abgelehnt. Ihre Entscheidung bleibt.`,
      link: "Die Entscheidung zeigen",
      ignore: "Für jede Entscheidung gibt es einen Widerspruch.",
    },
  },
  digest: {
    subject: (server) => `Neues auf ${server}`,
    says: "das ist seit der letzten Zusammenfassung geschehen:",
    more: "Und mehr.",
    all: "Alle Mitteilungen",
  },
  show: "Zeigen",
  staff: {
    report: {
      subject: (server) => `Auf ${server} wartet eine Meldung`,
      says: (n) =>
        n === 1
          ? "eine Meldung wartet auf eine Entscheidung."
          : `${n} Meldungen warten auf eine Entscheidung.`,
      link: "Die Meldungen zeigen",
    },
    held: {
      subject: (server) => `Auf ${server} wartet ein Text`,
      says: (n) =>
        n === 1
          ? "ein Text, den eine Regel zurückhält, wartet auf eine Entscheidung."
          : `${n} Texte, die Regeln zurückhalten, warten auf eine Entscheidung.`,
      link: "Die zurückgehaltenen Texte zeigen",
    },
    appeal: {
      subject: (server) => `Auf ${server} wartet ein Widerspruch`,
      says: (n) =>
        n === 1
          ? "ein Widerspruch gegen eine Entscheidung wartet auf eine Antwort."
          : `${n} Widersprüche gegen Entscheidungen warten auf eine Antwort.`,
      link: "Die Widersprüche zeigen",
    },
    sign_up: {
      subject: (server) => `Jemand möchte zu ${server} kommen`,
      says: (n) =>
        n === 1
          ? "ein Konto wartet auf seine Freigabe."
          : `${n} Konten warten auf ihre Freigabe.`,
      link: "Die Konten zeigen",
    },
    backup: {
      subject: (server) => `Eine Sicherung von ${server} ist fehlgeschlagen`,
      says: () =>
        "eine Sicherung des Servers ist fehlgeschlagen. Sie wird wieder versucht; kith doctor und das Protokoll sagen, was nicht stimmt.",
      link: "Die Verwaltung zeigen",
    },
  },
  footer: (handle) => `Du bekommst diese Mail, weil ${handle} sie gewählt hat.`,
  stop: "Keine solchen Mails mehr bekommen",
  change: "Wählen, was du bekommst",
  settings: {
    title: "E-Mail",
    about:
      "Mit einer E-Mail-Adresse kannst du ein neues Passwort wählen, wenn du deines verlierst, und per Mail erfahren, was geschieht. Nur du und die Administratoren dieses Servers sehen sie.",
    address: "Adresse",
    none: "Es gibt noch keine Adresse.",
    isConfirmed: (address) => `Mails gehen an ${address}.`,
    isBouncing: (address) =>
      `Keine Mail erreicht ${address}, sagt der Server dort. Es wird nichts mehr dorthin geschickt: Gib die Adresse noch einmal ein oder eine andere.`,
    waits: (address) =>
      `Öffne den Link, der an ${address} geschickt wurde; er gilt einen Tag.`,
    hasEnded: (address) =>
      `Der Link für ${address} ist abgelaufen, oder keine Mail erreicht die Adresse. Gib sie noch einmal ein.`,
    newAddress: "Neue Adresse",
    newAddressHint:
      "Ein Link geht dorthin, um sie zu bestätigen. Die bisherige Adresse erfährt von der Änderung.",
    change: "Den Link schicken",
    remove: "Die Adresse entfernen",
    removeHint: "Was unten gewählt ist, geht mit ihr.",
    password: "Passwort",
    frequency: "Mitteilungen per Mail",
    frequencies: {
      never: "Nie",
      at_once: "Sofort",
      daily: "Jeden Tag eine Zusammenfassung",
      weekly: "Jede Woche eine Zusammenfassung",
    },
    kinds: "Welche Mitteilungen",
    kindsHint:
      "Eine Mail sagt, wer was getan hat, und hat einen Link; sie enthält keinen Text von Beiträgen oder Nachrichten. Was du schon gelesen hast, wird nicht geschickt.",
    staff: "Für die, die diesen Server betreiben",
    staffKinds: {
      report: "Neue Meldungen",
      appeal: "Neue Widersprüche",
      held: "Texte, die eine Regel zurückhält",
      sign_up: "Konten, die auf Freigabe warten",
      backup: "Fehlgeschlagene Sicherungen",
    },
    save: "Speichern",
    saved: "Deine Auswahl ist gespeichert.",
    sent: "Ein Link wurde an die Adresse geschickt.",
    removed: "Die Adresse ist entfernt.",
    wrongPassword: "Das Passwort ist falsch.",
    malformed: "Das ist keine E-Mail-Adresse.",
    signUp: "E-Mail-Adresse (freiwillig)",
    signUpHint:
      "Für ein neues Passwort, wenn du deines verlierst. Nur du und die Administratoren sehen sie.",
  },
  confirm: {
    title: "Eine E-Mail-Adresse bestätigen",
    asks: (address, name) =>
      `Sollen Mails über das Konto ${name} an ${address} gehen?`,
    confirm: "Bestätigen",
    done: "Die Adresse ist bestätigt.",
    ended: "Dieser Link wurde schon benutzt oder ist abgelaufen.",
  },
  unsubscribe: {
    title: "Keine Mails mehr",
    asks: {
      notices: (address) =>
        `Sollen keine Mitteilungen mehr an ${address} gehen?`,
      staff: (address) =>
        `Sollen keine Mails über den Betrieb des Servers mehr an ${address} gehen?`,
    },
    confirm: "Nichts mehr schicken",
    done: "Solche Mails werden nicht mehr geschickt.",
  },
  reset: {
    title: "Neues Passwort",
    lost: "Passwort verloren?",
    about:
      "Gib die E-Mail-Adresse deines Kontos ein. Wenn ein Konto sie hat, geht ein Link für ein neues Passwort dorthin.",
    address: "E-Mail-Adresse",
    send: "Den Link schicken",
    sent: "Wenn ein Konto diese Adresse hat, wurde ein Link dorthin geschickt. Er gilt eine Stunde.",
    choose: (name) => `Ein neues Passwort für das Konto ${name}`,
    save: "Das Passwort setzen",
    done: "Das Passwort ist geändert. Melde dich damit an.",
    stays:
      "Wenn das Konto einen zweiten Faktor hat, brauchst du ihn weiterhin, um dich anzumelden.",
  },
};
