import { withoutBrackets } from '../address-rules'
import { waitForAnswer } from '../fetch-context'
import { fetchFromServer } from '../file-server-fetch'
import { createSftpServer } from './sftp-server'
import { openSftp } from './ssh-session'

/** Fetches a file over SFTP. */
export const fetchOverSftp = fetchFromServer(async (place, access, context, resources) => {
  const endpoint = { hostname: withoutBrackets(place.hostname), port: place.port }
  const sftp = await openSftp(endpoint, access, context, resources)
  return createSftpServer(sftp, (question) => waitForAnswer(context, resources, question))
})
