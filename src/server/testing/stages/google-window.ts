import type { GooglePopupReport } from '../../../shared/schemas/user'
import { PERSON } from '../servers/oidc-issuer'
import type { Client } from './test-app'

/** Starts a sign-in; returns the provider's URL that the window is redirected to. */
export async function beginSignIn(client: Client, attempt = 'attempt-1'): Promise<string> {
  const response = await client.request('GET', `/api/auth/google/start?attempt=${attempt}`)
  if (response.status !== 302) throw new Error(`The sign-in did not start: ${response.text}`)
  return String(response.headers.location)
}

/** Requests the callback URL, as the redirect from the provider does. */
export async function endSignIn(client: Client, { pathname, search }: URL) {
  return readPopupPage(await client.request('GET', pathname + search))
}

/** The status of the window's final page, and its report. */
export function readPopupPage({ status, text }: { status: number; text: string }) {
  const [, escaped = ''] = /data-report="([^"]*)"/.exec(text) ?? []
  const json = escaped
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
  return { status, report: JSON.parse(json) as GooglePopupReport }
}

/** Posts the identity, as the page that opened the window does. */
export const postIdentity = (client: Client, uid = PERSON.sub) =>
  client.request('POST', '/api/auth/google', { ...postedIdentity, uid })

export const postedIdentity = {
  uid: PERSON.sub,
  email: PERSON.email,
  displayName: PERSON.name,
  photoURL: PERSON.picture,
  role: 'SUPPLIER',
  maxRetailers: 10,
}
