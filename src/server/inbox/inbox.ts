import { SFTP_LIMITS } from './limits'
import { createMailSockets } from './mail/mail-sockets'
import { connectParent } from './parent'
import { startSftpServer, type SftpServer } from './sftp/sftp-server'

// The entry point of the inbox: a process that speaks with everybody who knows its port, without a file, a database or
// a password. It asks its parent who may do what, and passes on the bytes.
let sftp: SftpServer | undefined
const now = () => performance.now()

const parent = connectParent((message) => {
  switch (message.type) {
    case 'listen':
      sftp?.close()
      sftp = startSftpServer(parent, message, { limits: SFTP_LIMITS, now })
      return
    case 'end':
      return sftp?.end(message.session)
    case 'close':
      void mails.close()
      return sftp?.close()
    case 'ping':
      return parent.tell({
        type: 'pong',
        ...(sftp?.counts() ?? { connections: 0, turnedAway: 0 }),
      })
    default:
      return mails.obey(message)
  }
})
const mails = createMailSockets(parent)
