/**
 * The commands of the product, in the order in which `stockbridge --help` lists them: the program of the build that
 * each runs, and what for. `npm run NAME` is the same.
 * @type {Record<string, { program: string, purpose: string, takesNothing?: boolean }>}
 */
export const COMMANDS = {
  start: {
    program: 'main',
    purpose: 'migrates the database, and starts web and worker in one process',
    takesNothing: true,
  },
  worker: {
    program: 'worker',
    purpose: 'starts a worker, beside a web process with WORKER=off',
    takesNothing: true,
  },
  inbox: {
    program: 'inbox',
    purpose: 'starts the inbox for SFTP and mails, beside processes with INBOX=off',
    takesNothing: true,
  },
  health: {
    program: 'health',
    purpose: 'exits with 0 if the web process answers that all is well [worker | inbox]',
  },
  demo: { program: 'demo', purpose: 'starts a demo with sample data [--data FOLDER]' },
  doctor: {
    program: 'doctor',
    purpose: 'examines the configuration and all that it names [--json]',
  },
  backup: { program: 'backup', purpose: 'makes and verifies a backup now [--url ADDRESS]' },
  restore: {
    program: 'restore',
    purpose: 'restores database and files: FILE [--replace] [--trust]',
  },
  migrate: { program: 'migrate', purpose: 'backs the database up, and migrates it' },
  'upgrade:check': {
    program: 'upgrade-check',
    purpose: 'tries new migrations on a copy of the data, and says how long they take',
  },
  'create-admin': {
    program: 'create-admin',
    purpose: 'creates an administrator, or resets its password: USERNAME',
  },
  'seed:suppliers': {
    program: 'seed-suppliers',
    purpose: 'creates or updates suppliers from CSV or JSON: FILE [--url ADDRESS]',
  },
  reseal: { program: 'reseal', purpose: 'encrypts all secrets with a new key' },
}
