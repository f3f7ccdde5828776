import type { englishAccount } from "../../en/settings/account.ts";

/** The German texts of the account: its password, export, move and end. */
export const germanAccount: typeof englishAccount = {
  title: "Konto",
  linkAbout: "Dein Passwort, deine Daten und der Abschied",
  proof: "Dein Passwort",

  password: {
    title: "Passwort ändern",
    current: "Das bisherige Passwort",
    wanted: "Das neue Passwort",
    hint: (least) => `Mindestens ${least} Zeichen.`,
    confirm: "Das neue Passwort noch einmal",
    about:
      "Du wirst überall sonst abgemeldet, und Programme brauchen das neue Passwort.",
    button: "Passwort ändern",
    done: "Dein Passwort ist geändert.",
    wrong: "Das bisherige Passwort ist falsch. Nichts wurde geändert.",
    short: (least, most) =>
      `Das neue Passwort muss ${least} bis ${most} Zeichen haben. Nichts wurde geändert.`,
    differ:
      "Die beiden neuen Passwörter sind verschieden. Nichts wurde geändert.",
  },

  profileFaults: {
    tooLong: (max) => `Verwende höchstens ${max} Zeichen.`,
    semicolon: "Ein Name darf kein Semikolon enthalten.",
    birthday:
      "Gib ein Datum ein, das nicht in der Zukunft liegt, etwa 1990-05-17, oder lass das Feld leer.",
    incompleteLine: "Eine eigene Zeile braucht einen Namen und einen Text.",
  },

  export: {
    title: "Deine Daten mitnehmen",
    about:
      "Ein Archiv mit allem, was du hier hast: Profil, Aspekte, Beiträge, Kommentare, Termine, Einstellungen und Bilder. Es enthält keine Passwörter und nichts, was andere geschrieben haben.",
    button: "Daten herunterladen",
    running:
      "Ein Archiv deines Kontos wird gerade erstellt. Versuch es später noch einmal.",
  },

  moving: {
    title: "Umzug zwischen Servern",
    link: "Zu einem anderen Server umziehen, oder von dort hierher",
    about:
      "Zwei Konten auf zwei Servern können eines werden. Beide müssen zustimmen, darum geschieht ein Teil des Umzugs dort. Ein Archiv deiner Daten bekommst du vorher auf der Seite deines Kontos.",
    handle: "Das Konto auf dem anderen Server",
    handleHint: "Etwa alice@anderswo.example",
    signature: "Die Unterschrift des anderen Kontos",
    signatureOptional:
      "Der andere Server gibt sie dir, wenn er das Protokoll von diaspora* spricht. Lass das Feld leer, um nur deine Kontakte über ActivityPub weiterzuleiten.",
    aliases: {
      title: "Deine anderen Konten",
      about:
        "Von diesen Konten dürfen Kontakte über ActivityPub hierher geleitet werden, eines je Zeile.",
      button: "Liste speichern",
      saved: "Die Liste ist gespeichert.",
      refused:
        "Eines davon wurde nicht gefunden oder kann nicht hierher umziehen. Nichts wurde geändert. Höchstens 20 sind möglich.",
    },
    sign: {
      title: "Einem Umzug zustimmen",
      about:
        "Du bekommst eine Unterschrift für den anderen Server. Gib sie niemandem sonst: sie bleibt gültig.",
      direction: "Was geschieht",
      directions: {
        here: "Ich komme von dort hierher",
        away: "Ich gehe von hier dorthin",
      },
      button: "Unterschreiben",
      made: "Die Unterschrift",
      madeAbout: (from, to) =>
        `Sie besagt, dass ${to} die Fortsetzung von ${from} ist. Gib sie auf dem anderen Server ein.`,
      refused:
        "Dieses Konto gibt es auf keinem anderen Server. Nichts wurde unterschrieben.",
    },
    away: {
      title: "Zu einem anderen Server gehen",
      about:
        "Mit einer Unterschrift kommt alles mit, und dein Konto hier wird für immer geschlossen. Ohne sie werden deine Kontakte weitergeleitet, und du kannst hier nichts Neues mehr schreiben.",
      button: "Zu diesem Server gehen",
      begun: "Der Umzug hat begonnen. Deine Kontakte erfahren davon.",
      refused:
        "Du bist nicht umgezogen. Das andere Konto muss es auf einem anderen Server geben, und es muss unterschrieben haben oder dieses Konto als sein eigenes nennen.",
    },
    here: {
      title: "Von einem anderen Server kommen",
      about:
        "Das Konto dort muss unterschrieben haben. Seine Kontakte erfahren, dass du jetzt hier bist.",
      button: "Dieses Konto hier fortsetzen",
      begun:
        "Der Umzug hat begonnen. Die Kontakte des alten Kontos erfahren davon.",
      refused:
        "Nichts ist umgezogen. Das andere Konto muss es auf einem anderen Server geben, und die Unterschrift muss von ihm sein.",
    },
  },

  delete: {
    title: "Konto löschen",
    link: "Konto löschen …",
    about:
      "Dein Profil, deine Beiträge, Kommentare, Bilder und Termine werden hier gelöscht. Andere Server werden gebeten, sie zu löschen; sie könnten Kopien behalten. Deinen Namen kann nie wieder jemand haben. Das lässt sich nicht rückgängig machen.",
    before: "Möchtest du vorher deine Daten haben?",
    button: "Mein Konto für immer löschen",
    back: "Mein Konto behalten",
    done: "Dein Konto ist gelöscht",
    doneAbout:
      "Alles, was du geschrieben hast, wird gelöscht, und die anderen Server erfahren davon.",
  },

  wrong: "Das Passwort ist falsch. Nichts wurde geändert.",
  expired:
    "Das Formular war veraltet, darum wurde nichts geändert. Gib dein Passwort noch einmal ein.",
};
