import { createFileFetcher } from '../fetch/fetch'
import { serveTasks } from './serve-tasks'
import { runTask } from './tasks'

// The entry point of a file reader process, which has no database, no session and no key. Its first
// argument is JSON: which addresses it may fetch, and how many bytes.
type Settings = { allow: string[]; maxBytes: number }

const settings = JSON.parse(process.argv[2] ?? '') as Settings
const fetcher = createFileFetcher({ ...settings, now: () => Date.now() })
serveTasks((kind, task, options) => runTask(kind, task, { ...options, fetcher }))
