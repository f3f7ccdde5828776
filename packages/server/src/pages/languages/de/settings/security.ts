import { counted } from "../../plurals.ts";
import type { englishSecurity } from "../../en/settings/security.ts";

export const germanSecurity: typeof englishSecurity = {
  title: "Sicherheit",
  password: "Dein Passwort",
  code: "Code",
  codeHint:
    "Die sechs Ziffern, die deine App gerade zeigt, oder einer deiner Wiederherstellungscodes.",
  back: "Zurück zur Sicherheit",
  expired:
    "Das Formular war veraltet, deshalb wurde nichts geändert. Deine Auswahl ist noch da; gib das Passwort noch einmal ein.",
  signedOut:
    "Du warst abgemeldet, deshalb wurde nichts geändert. Deine Auswahl ist noch da; gib das Passwort noch einmal ein.",

  secondStep: {
    title: "Noch ein Schritt",
    text: "Dein Konto braucht einen zweiten Faktor.",
    button: "Weiter",
    wrong:
      "Dieser Code ist falsch oder wurde schon benutzt. Warte auf den nächsten und versuch es noch einmal.",
    again: "Mit einem anderen Konto anmelden",
  },

  faults: {
    wrong: "Das Passwort oder der Code ist falsch. Nichts wurde geändert.",
    choice:
      "Wähle etwas aus der Liste. Es kann auch schon beendet sein. Nichts wurde geändert.",
    name: "Der Name muss 1 bis 50 Zeichen haben. Nichts wurde geändert.",
    conflict:
      "Das passt nicht zu den jetzigen Einstellungen. Nichts wurde geändert.",
    passkey:
      "Dein Browser hat keinen brauchbaren Passkey geliefert. Versuch es noch einmal.",
  },

  sessions: {
    title: "Wo du angemeldet bist",
    unknown: "Unbekannter Browser",
    current: "dieser hier",
    others: "Alle anderen",
    end: "Sitzung beenden",
    none: "Du hast keine anderen Sitzungen.",
  },

  tokens: {
    title: "Programme mit Zugriff",
    lastUsed: "zuletzt benutzt",
    end: "Zugriff entziehen",
    none: "Kein Programm hat Zugriff auf dein Konto.",
  },

  appPasswords: {
    title: "App-Passwörter",
    text: "Ein App-Passwort öffnet deine Kalender, und nichts sonst, in einer Kalender-App auf deinem Telefon oder Rechner.",
    needed: "Weil dein Konto einen zweiten Faktor hat, brauchen Apps eines.",
    nameHint:
      "Die App oder das Gerät, zum Beispiel „Kalender auf dem Telefon“.",
    add: "App-Passwort erstellen",
    remove: "App-Passwort entfernen",
    made: "Ein neues App-Passwort",
    once: (name) =>
      `Das ist das Passwort für „${name}“. Gib es dort jetzt ein: Es wird nie wieder angezeigt.`,
    username: "Benutzername",
    secret: "Passwort",
  },

  secondFactor: {
    title: "Zweiter Faktor",
    off: "Dein Passwort allein öffnet dein Konto. Mit einem zweiten Faktor braucht es auch einen Code aus einer App auf deinem Telefon, zum Beispiel Aegis, FreeOTP oder 1Password.",
    on: "An: Dein Passwort allein öffnet dein Konto nicht.",
    left: (n) =>
      `Du hast noch ${counted(n, "einen Wiederherstellungscode", `${n} Wiederherstellungscodes`)}.`,
    ends: "Das beendet alle anderen Sitzungen und entzieht allen Programmen den Zugriff.",
    setUp: "Zweiten Faktor einrichten",
    scan: "Lies dieses Bild mit deiner App ein oder tippe das Geheimnis ab.",
    picture: "Das Geheimnis als Bild",
    secret: "Geheimnis",
    firstCode: "Die sechs Ziffern, die deine App gerade zeigt.",
    confirm:
      "Gib dann den Code ein, den die App zeigt, um den zweiten Faktor zu bestätigen.",
    notAgain:
      "Gib den Code ein, den deine App gerade zeigt. Das Geheimnis wird nicht noch einmal angezeigt: Wenn deine App es nicht hat, geh zurück und fang mit deinem Passwort und einem anderen Geheimnis von vorn an.",
    turnOn: "Einschalten",
    renew: "Neue Wiederherstellungscodes",
    renewText: "Deine jetzigen Codes werden ungültig.",
    turnOff: "Zweiten Faktor ausschalten",
  },

  recoveryCodes: {
    title: "Deine Wiederherstellungscodes",
    text: "Jeder von ihnen öffnet dein Konto einmal anstelle eines Codes der App. Schreib sie jetzt auf oder drucke sie aus: Sie werden nie wieder angezeigt. Ohne die App und diese Codes kannst du dich nicht mehr anmelden.",
  },

  passkeys: {
    title: "Passkeys",
    text: "Ein Passkey liegt auf deinem Gerät oder in deinem Passwortmanager, der nach deinem Finger, deinem Gesicht oder einer PIN fragt. Er öffnet dein Konto ohne Namen, Passwort und Code.",
    added: "hinzugefügt",
    used: "benutzt",
    name: "Name",
    nameHint: "Um ihn später wiederzuerkennen, zum Beispiel „Mein Telefon“.",
    add: "Passkey hinzufügen",
    remove: "Passkey entfernen",
    needsScript:
      "Dafür brauchst du einen Browser mit JavaScript, der Passkeys kennt.",
    signIn: "Mit einem Passkey anmelden",
    notUsed:
      "Dein Browser hat keinen Passkey geliefert. Versuch es noch einmal oder nimm dein Passwort.",
    notMade:
      "Es wurde kein Passkey angelegt: Das Passwort stimmt nicht, dein Gerät hat schon einen für dieses Konto, oder du hast abgebrochen.",
    unknown: "Dieser Passkey ist unbekannt, oder die Anfrage ist abgelaufen.",
  },
};
