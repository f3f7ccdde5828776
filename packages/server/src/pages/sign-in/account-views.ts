import {
  MAX_REASON_LENGTH,
  MIN_PASSWORD_LENGTH,
  type BirthFault,
  type SignUpFault,
} from "../../features/accounts/index.ts";
import type { Registration } from "../../features/server-profile/index.ts";
import {
  addressField,
  alertView,
  fieldView,
  passwordField,
  usernameField,
  zoneField,
} from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import type { Notice } from "../session/notice-cookie.ts";
import { LOST_PASSWORD, SETUP, TERMS } from "../session/places.ts";
import { passkeySignInView } from "./passkey-view.ts";
import type { FormFault } from "../languages/en/pages.ts";
import {
  aboutTexts,
  mailTexts,
  newcomerTexts,
  pageTexts,
  setupTexts,
} from "../languages/texts.ts";
import type { PagesContext } from "../session/visitor.ts";
import {
  returnTargetField,
  type ReturnTarget,
} from "../session/return-target.ts";

const texts = pageTexts.account;

/** The input of the sign-up form, with its faults. */
export type SignUpForm = {
  readonly username: string;
  readonly reason: string;
  /** The code of an invitation, or empty. */
  readonly invitation: string;
  readonly email: string;
  /** As typed. */
  readonly dateOfBirth: string;
  readonly faults: readonly SignUpFormFault[];
};

/** A fault of the input. */
export type SignUpFormFault =
  BirthFault | SignUpFault | FormFault | "email_malformed";

const isOfNewcomer = (
  fault: SignUpFormFault,
): fault is keyof typeof newcomerTexts.faults =>
  Object.hasOwn(newcomerTexts.faults, fault);

export function faultWords(fault: SignUpFormFault): string {
  if (isOfNewcomer(fault)) return newcomerTexts.faults[fault];
  return fault === "email_malformed"
    ? mailTexts.settings.malformed
    : texts.faults[fault];
}

export const NO_SIGN_UP: SignUpForm = {
  ...{ username: "", reason: "", invitation: "", email: "" },
  ...{ dateOfBirth: "", faults: [] },
};

/** The server on which somebody signs up. */
export type SignUpServer = {
  /** The words of the admins. */
  readonly joining: HtmlValue;
  readonly hasTerms: boolean;
  /** The age in years from which people may sign up; 0: any. */
  readonly minAge: number;
  /** Has it an admin? */
  readonly isFounded: boolean;
};

/** The first account of a server is that of its admin. */
export function foundFirstView(): Html {
  return html`<h1>${texts.signUpTitle}</h1>
    <p class="lead">${setupTexts.nobodyYet}</p>
    <p class="actions">
      <a class="button" href="${SETUP}">${setupTexts.toSetup}</a>
    </p>`;
}

/** The sign-up form, with the faults of the last attempt. */
export function signUpView(
  { host, mails }: PagesContext,
  signUp: Registration,
  form: SignUpForm,
  { joining, hasTerms, isFounded, minAge }: SignUpServer,
): Html {
  const { username, reason, invitation, email, dateOfBirth, faults } = form;
  const isInvited = invitation !== "";
  const waits = signUp === "approval" && !isInvited;
  const isFaulty = (part: string) =>
    faults.some((fault) => fault.startsWith(part));
  return html`<h1>${texts.signUpTitle}</h1>
    ${waits && html`<p>${texts.approval}</p>`}
    ${isInvited && html`<p>${texts.invited}</p>`} ${joining}
    ${alertView(faults.map(faultWords))}
    <form method="post" action="/users/sign_up" class="stacked">
      ${zoneField()}
      ${usernameField(username, {
        hint: texts.usernameHint(host),
        isFaulty: isFaulty("username"),
      })}
      ${passwordField("password", "new-password", {
        label: texts.password,
        hint: texts.passwordHint(MIN_PASSWORD_LENGTH),
        minLength: MIN_PASSWORD_LENGTH,
        isFaulty: isFaulty("password"),
      })}
      ${passwordField("confirm", "new-password", {
        label: texts.confirm,
        isFaulty: isFaulty("confirm"),
      })}
      ${
        mails.isEnabled &&
        addressField(mailTexts.settings.signUp, {
          ...{ value: email, hint: mailTexts.settings.signUpHint },
          ...{ isRequired: false, isFaulty: isFaulty("email") },
        })
      }
      ${
        minAge > 0 &&
        fieldView("date_of_birth", {
          ...{
            label: newcomerTexts.born,
            hint: newcomerTexts.bornHint(minAge),
          },
          isFaulty: isFaulty("date_of_birth"),
          attributes: html`type="date" value="${dateOfBirth}" required
          autocomplete="bday" min="1900-01-01"`,
        })
      }
      ${waits && reasonField(reason, isFaulty("reason"))}
      ${
        isInvited &&
        html`<input type="hidden" name="invitation" value="${invitation}" />`
      }
      ${
        hasTerms &&
        html`<p class="quiet">
          ${aboutTexts.agree} <a href="${TERMS}">${aboutTexts.terms}</a>.
        </p>`
      }
      <p class="actions"><button>${pageTexts.signUp}</button></p>
    </form>
    <p>
      ${texts.haveAccount}
      <a href="/users/sign_in">${pageTexts.signIn}</a>
    </p>
    ${
      !isFounded &&
      html`<p class="quiet">
        ${setupTexts.noAdminYet} <a href="${SETUP}">${setupTexts.toSetup}</a>
      </p>`
    }`;
}

function reasonField(reason: string, isFaulty: boolean): Html {
  return html`<p>
    <label for="reason">${texts.reason}</label>
    <textarea
      id="reason"
      name="reason"
      rows="4"
      maxlength="${MAX_REASON_LENGTH}"
      aria-describedby="reason-hint"
      ${isFaulty && html`aria-invalid="true"`}
    >
${reason}</textarea>
    <small id="reason-hint">${texts.reasonHint(MAX_REASON_LENGTH)}</small>
  </p>`;
}

export type SignInPage = {
  readonly username: string;
  readonly isWrong: boolean;
  readonly back: ReturnTarget;
  /** The decisions about a suspended account. */
  readonly suspension?: HtmlValue;
  readonly notice?: Notice | undefined;
};

/** The sign-in form: the same for an unknown name and for a wrong password. */
export function signInView(
  { signUp, hasMail }: { signUp: Registration; hasMail: boolean },
  { username, isWrong, back, suspension, notice }: SignInPage,
): Html {
  return html`<h1>${texts.signInTitle}</h1>
    ${
      notice &&
      html`<p class="notice" role="status">${texts.notices[notice]}</p>`
    }
    ${back.draft && html`<p class="notice" role="status">${texts.kept}</p>`}
    ${alertView([
      ...(isWrong ? [texts.wrong] : []),
      ...(suspension === undefined ? [] : [texts.suspended]),
    ])}
    ${suspension}
    ${
      signUp === "approval" &&
      notice === undefined &&
      html`<p>${texts.approval}</p>`
    }
    <form method="post" action="/users/sign_in" class="stacked">
      ${returnTargetField(back)} ${usernameField(username, {})}
      ${passwordField("password", "current-password", {
        label: texts.password,
      })}
      <p class="actions"><button>${pageTexts.signIn}</button></p>
    </form>
    ${passkeySignInView(back)}
    ${
      hasMail &&
      html`<p><a href="${LOST_PASSWORD}">${mailTexts.reset.lost}</a></p>`
    }
    ${
      signUp !== "closed" &&
      html`<p>
        ${texts.noAccount}
        <a href="/users/sign_up">${pageTexts.signUp}</a>
      </p>`
    }`;
}
