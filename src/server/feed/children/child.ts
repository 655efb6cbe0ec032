import { createFeedFetcher } from '../fetch/fetch'
import { serveTasks } from './serve-tasks'
import { runTask } from './tasks'

// A process that reads feeds: it has no database, no session and no key. Its first argument, JSON,
// says what may be fetched.
type Settings = { allow: string[]; maxBytes: number }

const settings = JSON.parse(process.argv[2] ?? '') as Settings
const fetcher = createFeedFetcher({ ...settings, now: () => Date.now() })
serveTasks((kind, task, options) => runTask(kind, task, { ...options, fetcher }))
