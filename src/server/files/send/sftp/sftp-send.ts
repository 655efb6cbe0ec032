import { withoutBrackets } from '../../fetch/address-rules'
import { openSftp } from '../../fetch/sftp/ssh-session'
import { sendToServer } from '../file-server-send'
import { createWritableSftp } from './writable-sftp'

/** Sends a file over SFTP. */
export const sendOverSftp = sendToServer(async (place, access, context, resources) => {
  const endpoint = { hostname: withoutBrackets(place.hostname), port: place.port }
  const sftp = await openSftp(endpoint, access, context, resources)
  return createWritableSftp(sftp, context, resources)
}, 'connected, the key of the server is a confirmed one, signed in')
