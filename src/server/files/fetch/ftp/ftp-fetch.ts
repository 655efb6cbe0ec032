import { fetchFromServer } from '../file-server-fetch'
import { createFtpServer } from './ftp-server'
import { openFtp } from './ftp-session'
import { signIn } from './ftp-sign-in'

/** Fetches a file over FTP, with TLS or without. */
export const fetchOverFtp = fetchFromServer(async (place, access, context, resources) => {
  const session = await openFtp(place, access, context, resources)
  await signIn(session, access.login)
  return createFtpServer(session, context, resources)
})
