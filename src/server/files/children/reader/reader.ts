import { runTask } from '../../tasks/tasks'
import { serveTasks } from './serve-tasks'

// The entry point of a reader: a process without a network, a database, a session or a key. What it reads and
// writes goes through its parent.
serveTasks(runTask)
