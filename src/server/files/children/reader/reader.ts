import { runTask } from '../../tasks/tasks'
import { serveTasks } from './serve-tasks'

// The entry point of a reader: a process without a network, a database, a session or a key. What it reads and
// writes goes through its parent. Its first argument is JSON: the maximum size of a source.
const { maxBytes } = JSON.parse(process.argv[2] ?? '') as { maxBytes: number }
serveTasks((kind, task, context) => runTask(kind, task, { ...context, maxBytes }))
