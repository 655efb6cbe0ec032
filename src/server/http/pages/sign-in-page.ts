import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { nameSignInForm, SIGN_IN_PLACES } from '../../../shared/sign-in-page'
import type { Deps } from '../../domain/deps'
import { escapeHtml } from '../sessions/small-page'

/** The files of the client that are made into pages here. */
export const SIGN_IN_FILES = ['sign-in.html', 'sign-in.json']

export type RefusedSignIn = { username: string; reason: string }

/** The page of /auth with its form, for whoever is not signed in. */
export type SignInPage = (refused?: RefusedSignIn) => string

/** @param directory the folder of the built client */
export async function readSignInPage(
  { config, identityProvider, mail }: Deps,
  directory: string,
): Promise<SignInPage> {
  const [page = '', json = ''] = await Promise.all(
    SIGN_IN_FILES.map((name) => readFile(join(directory, name), 'utf8')),
  )
  const forms = JSON.parse(json) as Record<string, string>
  return (refused) => {
    const form = nameSignInForm({
      isSignupAllowed: config.isSignupAllowed,
      isGoogleConfigured: identityProvider !== null,
      sendsMail: mail !== null,
      isRefused: refused !== undefined,
    })
    const texts: Record<string, string> = {
      [SIGN_IN_PLACES.appName]: config.appName,
      [SIGN_IN_PLACES.username]: refused?.username ?? '',
      [SIGN_IN_PLACES.reason]: refused?.reason ?? '',
    }
    return page
      .replace(
        '<title>Stockbridge</title>',
        () => `<title>Login · ${escapeHtml(config.appName)}</title>`,
      )
      .replace(SIGN_IN_PLACES.form, () =>
        // In one turn: what somebody has sent may look like a place too.
        (forms[form] ?? '').replaceAll(/%[A-Z_]+%/g, (place) => escapeHtml(texts[place] ?? place)),
      )
  }
}
