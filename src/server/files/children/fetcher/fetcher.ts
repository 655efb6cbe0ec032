import { parseEgressProxy } from '../../fetch/egress-proxy'
import { createFileFetcher } from '../../fetch/fetch'
import { createNetworkSender } from '../../send/send-file'
import { serveFetches } from './serve-fetches'

// The entry point of a fetcher: a process that reaches suppliers' and retailers' servers with their credentials,
// without a file, a database, a session or a key. Its first argument is JSON: which addresses it may reach, and how
// many bytes it may fetch. FETCH_PROXY, which may have a password, is in its environment, which only its user can read.
type Settings = { allow: string[]; maxBytes: number }

const settings = JSON.parse(process.argv[2] ?? '') as Settings
const now = () => Date.now()
const proxy = parseEgressProxy(process.env.FETCH_PROXY ?? '')
serveFetches(
  createFileFetcher({ ...settings, proxy, now }),
  createNetworkSender({ allow: settings.allow, proxy, now }),
)
