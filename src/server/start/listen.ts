import { ConfigError } from '../config'
import { codeOf } from '../process/error-code'

type Address = {
  host: string
  port: number
  /** The variables that set them, named in errors. */
  hostVariable: 'HOST' | 'METRICS_HOST'
  portVariable: 'PORT' | 'WORKER_PORT' | 'INBOX_PORT' | 'METRICS_PORT'
  /** Whether other processes listen there too. */
  isShared?: boolean
}

/** What listens: a web server, for example. */
type Listener = {
  listen(options: { host: string; port: number; reusePort?: boolean }): Promise<string>
}

/**
 * Opens the socket and returns a URL that leads there, from this machine if it is open to all networks.
 * @throws ConfigError naming the variable to change, when the host or the port cannot be used
 */
export async function listen(app: Listener, address: Address): Promise<string> {
  const { host, port, isShared = false } = address
  try {
    const options = { host, port, ...(isShared && { reusePort: true }) }
    return (await app.listen(options)).replace('//[::]:', '//localhost:')
  } catch (error) {
    const reason = describe(address, codeOf(error))
    throw reason === undefined ? error : new ConfigError(reason)
  }
}

function describe(address: Address, code: string) {
  const { host, port, hostVariable, portVariable } = address
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Stop what runs there, or set ${portVariable} to another one.`
    case 'EACCES':
      return `Port ${port} needs privileges that this user lacks. Set ${portVariable} to one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return (
        `${hostVariable}: this machine has no address ${host}. ` +
        'Use 127.0.0.1 or ::1 for this machine only, 0.0.0.0 for all networks, or :: for all, also over IPv6.'
      )
    default:
      return undefined
  }
}
