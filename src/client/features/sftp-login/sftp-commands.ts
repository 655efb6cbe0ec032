import type { SftpServer } from '../../../shared/schemas/sftp-login'
import type { UseFor } from './use-sftp-login'

/** How a program puts or fetches the file. */
interface SftpCommand {
  /** Also its value in lists. */
  program: string
  note: string
  code: string
}

interface CommandInput {
  useFor: UseFor
  server: SftpServer
  username: string
  /** Without one, a key signs in. */
  hasPassword: boolean
}

const KEY = '~/.ssh/id_ed25519'
/** Where a retailer's file is. */
export const FETCHED_FILE = '/inventory/inventory.csv'

/** The line for each program, as it is typed into a terminal. */
export function listSftpCommands(input: CommandInput): [SftpCommand, ...SftpCommand[]] {
  const { server, username, hasPassword, useFor } = input
  const { port } = server
  const host = hostInUrl(server.host)
  const isSent = useFor === 'connection'
  const note = hasPassword ? 'It asks for the password.' : `The private key is read from ${KEY}.`
  const sftp = `sftp -P ${port}${hasPassword ? '' : ` -i ${KEY}`} ${username}@${host}`
  const connect = hasPassword ? '' : `set sftp:connect-program 'ssh -a -x -i ${KEY}'; `
  // With a comma it does not ask for a password.
  const open = `open -u ${username}${hasPassword ? '' : ','} -p ${port} sftp://${host}`
  const curl = `curl -u ${username}${hasPassword ? '' : `: --key ${KEY}`}${knownKey(server)}`
  const url = `sftp://${host}:${port}`
  return [
    {
      program: 'sftp',
      note: `Comes with Linux, macOS and Windows. ${note}`,
      code: isSent ? `echo "put stock.csv" | ${sftp}` : `${sftp}:${FETCHED_FILE} .`,
    },
    {
      program: 'lftp',
      note,
      code: `lftp -e "${connect}${open}; ${isSent ? 'put stock.csv' : `get ${FETCHED_FILE}`}; bye"`,
    },
    {
      program: 'curl',
      note,
      code: isSent ? `${curl} -T stock.csv ${url}/` : `${curl} -O ${url}${FETCHED_FILE}`,
    },
  ]
}

const hostInUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** So that curl knows the server, which otherwise asks nobody and refuses. */
function knownKey({ hostKeys: [first] }: SftpServer): string {
  return first ? ` --hostpubsha256 ${first.fingerprint.replace('SHA256:', '')}` : ''
}
