import { createFileFetcher } from '../../fetch/fetch'
import { createNetworkSender } from '../../send/send-file'
import { serveFetches } from './serve-fetches'

// The entry point of a fetcher: a process that reaches suppliers' and retailers' servers with their credentials,
// without a file, a database, a session or a key. Its first argument is JSON: which addresses it may reach, and how
// many bytes it may fetch.
type Settings = { allow: string[]; maxBytes: number }

const settings = JSON.parse(process.argv[2] ?? '') as Settings
const now = () => Date.now()
serveFetches(
  createFileFetcher({ ...settings, now }),
  createNetworkSender({ allow: settings.allow, now }),
)
