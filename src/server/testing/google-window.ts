import type { GooglePopupReport } from '../../shared/schemas/user'
import { PERSON } from './oidc-issuer'
import type { Client } from './test-app'

/** Opens the provider's window; its address there. */
export async function beginSignIn(client: Client, attempt = 'attempt-1'): Promise<string> {
  const answer = await client.request('GET', `/api/auth/google/start?attempt=${attempt}`)
  if (answer.status !== 302) throw new Error(`The sign-in does not begin: ${answer.text}`)
  return String(answer.headers.location)
}

/** Comes back from the provider. */
export async function endSignIn(client: Client, { pathname, search }: URL) {
  return readPopupPage(await client.request('GET', pathname + search))
}

/** What the window's last page reports, and its status. */
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

/** What the page posts that opened the window. */
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
