/** What the page of /auth depends on. */
export type SignInForm = {
  isSignupAllowed: boolean
  isGoogleConfigured: boolean
  isRefused: boolean
}

/** The name of a form in the file that the build writes of all. */
export const nameSignInForm = (form: SignInForm): string =>
  [form.isSignupAllowed, form.isGoogleConfigured, form.isRefused].map(Number).join('')

/** Every combination. */
export const SIGN_IN_FORMS: SignInForm[] = [false, true].flatMap((isSignupAllowed) =>
  [false, true].flatMap((isGoogleConfigured) =>
    [false, true].map((isRefused) => ({ isSignupAllowed, isGoogleConfigured, isRefused })),
  ),
)

/** Stand in the built page for what only the server knows. */
export const SIGN_IN_PLACES = {
  form: '%FORM%',
  appName: '%APP_NAME%',
  username: '%USERNAME%',
  reason: '%REASON%',
} as const
