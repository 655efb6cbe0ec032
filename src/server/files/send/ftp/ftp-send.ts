import { openFtp } from '../../fetch/ftp/ftp-session'
import { signIn } from '../../fetch/ftp/ftp-sign-in'
import { sendToServer } from '../file-server-send'
import { createWritableFtp } from './writable-ftp'

/** Sends a file over FTP, with TLS or without. */
export const sendOverFtp = sendToServer(async (place, access, context, resources) => {
  const session = await openFtp(place, access, context, resources)
  await signIn(session, access.login)
  return createWritableFtp(session, context, resources)
}, 'connected, signed in')
