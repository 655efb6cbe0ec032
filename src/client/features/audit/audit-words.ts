import {
  AUDIT_ACTION_NAMES,
  AUDIT_NOUNS,
  type AuditAction,
  type AuditNoun,
} from '../../../shared/audit-actions'

const NOUNS: Record<AuditNoun, string> = {
  user: 'Accounts',
  person: 'People',
  account: 'Deletions of accounts',
  administrator: 'Administrators',
  supplier: 'Suppliers',
  retailer: 'Retailers',
  group: 'Groups',
  destination: 'Destinations',
  'merged-file': 'Merged files',
  invitation: 'Invitations',
  request: 'Requests',
  connection: 'Connections',
  webhook: 'Webhooks',
  job: 'Jobs',
  backup: 'Backups',
  installation: 'Installation',
  log: 'Audit log',
}

/** What concerns no supplier. */
const ADMINISTRATORS_ONLY: ReadonlySet<AuditNoun> = new Set([
  'administrator',
  'job',
  'backup',
  'installation',
  'log',
])

/** `Sign in failed` for `user.sign-in-failed`. */
const toWords = (action: AuditAction) =>
  capitalize(action.split('.')[1]?.replaceAll('-', ' ') ?? '')

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The choices of a filter, by kind of object. An administrator has more than a supplier. */
export function listAuditChoices(isAdministrator: boolean) {
  const nouns = AUDIT_NOUNS.filter((noun) => isAdministrator || !ADMINISTRATORS_ONLY.has(noun))
  return nouns.map((noun) => ({
    group: NOUNS[noun],
    items: [
      { value: noun, label: `${NOUNS[noun]}: everything` },
      ...AUDIT_ACTION_NAMES.filter((action) => action.startsWith(`${noun}.`)).map((value) => ({
        value,
        label: toWords(value),
      })),
    ],
  }))
}

const ORIGINS = { web: null, script: 'Command line', worker: 'Server' } as const

/** The address, or the kind of process. */
export const describeOrigin = (origin: keyof typeof ORIGINS, address: string | null) =>
  ORIGINS[origin] ?? address ?? '–'
