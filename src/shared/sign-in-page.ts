/** What the page of /auth depends on. */
export type SignInForm = {
  isSignupAllowed: boolean
  isGoogleConfigured: boolean
  sendsMail: boolean
  isRefused: boolean
}

/** The name of a form in the file that the build writes of all. */
export const nameSignInForm = (form: SignInForm): string =>
  [form.isSignupAllowed, form.isGoogleConfigured, form.sendsMail, form.isRefused]
    .map(Number)
    .join('')

const EITHER = [false, true]

/** Every combination. */
export const SIGN_IN_FORMS: SignInForm[] = EITHER.flatMap((isSignupAllowed) =>
  EITHER.flatMap((isGoogleConfigured) =>
    EITHER.flatMap((sendsMail) =>
      EITHER.map((isRefused) => ({ isSignupAllowed, isGoogleConfigured, sendsMail, isRefused })),
    ),
  ),
)

/** Stand in the built page for what only the server knows. */
export const SIGN_IN_PLACES = {
  form: '%FORM%',
  appName: '%APP_NAME%',
  username: '%USERNAME%',
  reason: '%REASON%',
} as const
