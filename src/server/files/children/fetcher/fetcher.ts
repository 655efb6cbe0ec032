import { createFileFetcher } from '../../fetch/fetch'
import { serveFetches } from './serve-fetches'

// The entry point of a fetcher: a process that reaches suppliers' servers with their credentials, without a
// file, a database, a session or a key. Its first argument is JSON: which addresses it may fetch, and how many
// bytes.
type Settings = { allow: string[]; maxBytes: number }

const settings = JSON.parse(process.argv[2] ?? '') as Settings
serveFetches(createFileFetcher({ ...settings, now: () => Date.now() }))
